import { Module } from '@nestjs/common';
import { EvidenceCopy } from './evidence-copy.js';
import { EvidenceTask } from './evidence.task.js';

/** Evidence about tools, from their calls, in memory. */
@Module({ providers: [EvidenceCopy, EvidenceTask], exports: [EvidenceCopy] })
export class EvidenceModule {}
