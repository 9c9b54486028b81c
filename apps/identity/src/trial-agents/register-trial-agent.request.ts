import { IsOptional } from 'class-validator';
import { MAX_KEY_NAME_LENGTH } from '../api-keys/api-key.js';
import { PlainText } from '../plain-text.decorator.js';

/** Characters. The first key bears the agent's name. */
const MAX_AGENT_NAME_LENGTH = MAX_KEY_NAME_LENGTH;
const MAX_MODEL_LENGTH = 200;
const MAX_PURPOSE_LENGTH = 1_000;

/** Body of `POST /agent/anonymous-register`. Unknown members are ignored; null counts as absent. */
export class RegisterTrialAgentRequest {
  @PlainText(1, MAX_AGENT_NAME_LENGTH)
  readonly agent_name: string;

  @IsOptional()
  @PlainText(0, MAX_MODEL_LENGTH)
  readonly model?: string | null;

  @IsOptional()
  @PlainText(0, MAX_PURPOSE_LENGTH)
  readonly purpose?: string | null;
}
