import { Module } from '@nestjs/common';
import { OwnProjectsController } from './own-projects.controller.js';
import { ProjectsController } from './projects.controller.js';
import { Projects } from './projects.js';

/** Teams of an account: which keys spend for which, and how much. */
@Module({ controllers: [ProjectsController, OwnProjectsController], providers: [Projects] })
export class ProjectsModule {}
