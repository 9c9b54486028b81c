import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { McpRoute } from './mcp-route.js';

/** The same tools for clients of the Model Context Protocol. */
@Module({ imports: [AdmissionModule], providers: [McpRoute], exports: [McpRoute] })
export class McpModule {}
