import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { Admission } from './admission.js';
import { RejectedCredentials } from './rejected-credentials.js';

/** Who may come in, before anything of a request but its head is read. */
@Module({
  imports: [CredentialsModule, LimitsModule],
  providers: [Admission, RejectedCredentials],
  exports: [Admission],
})
export class AdmissionModule {}
