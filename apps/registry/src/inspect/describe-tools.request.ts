import { MAX_DESCRIBED_TOOLS, type DescribeToolsRequest } from '@capability-router/contracts';
import { MAX_TOOL_ID_LENGTH } from '@capability-router/kernel';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';

export class DescribeToolsBody implements DescribeToolsRequest {
  @IsArray()
  @ArrayMaxSize(MAX_DESCRIBED_TOOLS)
  @IsString({ each: true })
  @MaxLength(MAX_TOOL_ID_LENGTH, { each: true })
  readonly toolIds: string[];
}
