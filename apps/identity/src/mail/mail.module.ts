import { Module } from '@nestjs/common';
import { MailTask } from './mail.task.js';

/** Mails wait in the database until a server has taken them. */
@Module({ providers: [MailTask] })
export class MailModule {}
