import type { JsonValue } from '@capability-router/kernel';
import { defineTool } from '../../tool/define-tool.js';
import { boundedJson } from '../../tool/json-bounds.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

const loadJose = lazy(() => import('jose'));

export const decodeJwt = defineTool({
  toolId: 'forge.jwt.decode.v1',
  name: { en: 'Decode a JSON Web Token', zh: '解码 JWT 令牌' },
  description: {
    en: 'Shows header and claims of a JWT, with issued, not-before and expiry times as dates, for debugging sign-in. The signature is not checked; do not send a token that is still in use.',
    zh: '显示 JWT 的头部与声明，并将签发、生效、过期时间转为日期，便于调试登录问题。不校验签名；请勿发送仍在使用的令牌。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'security.decode_jwt', tags: ['token', 'claims', 'OAuth', 'OpenID', 'bearer'] }],
  parameters: {
    token: {
      schema: { type: 'string', minLength: 5, maxLength: 16_000 },
      en: 'Token in compact form: three parts with points between.',
      zh: '紧凑格式的令牌：以点分隔的三段。',
      required: true,
    },
  },
  sampleParameters: {
    token:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  },
  price: perCall('0.05'),
  run: async (parameters) => {
    const jose = await loadJose();
    const token = text(parameters, 'token').trim();
    try {
      const claims = jose.decodeJwt(token);
      return {
        header: boundedJson(jose.decodeProtectedHeader(token), 'The header'),
        claims: boundedJson(claims, 'The claims'),
        issued_at: dateOf(claims.iat),
        not_before: dateOf(claims.nbf),
        expires_at: dateOf(claims.exp),
        signature_checked: false,
      };
    } catch (error) {
      throw inputError('The token is no JWT: give header.payload.signature', error);
    }
  },
});

/** Seconds since 1970, as ISO 8601. */
function dateOf(seconds: unknown): JsonValue {
  const date = new Date(typeof seconds === 'number' ? seconds * 1_000 : Number.NaN);
  return Number.isFinite(date.getTime()) ? date.toISOString() : null;
}
