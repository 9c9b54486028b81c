import type { Mechanism } from 'kafkajs';

const LENGTH_BYTES = 4;
const SEPARATOR = '\u0001';

/**
 * SASL/OAUTHBEARER (RFC 7628 §3). kafkajs has it as well, but takes the challenge with which a broker refuses a token for its consent,
 * and fails at whatever it asks next.
 */
export function oauthBearer(token: () => Promise<string>): Mechanism {
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ saslAuthenticate }) => ({
      async authenticate() {
        const message = Buffer.from(`n,,${SEPARATOR}auth=Bearer ${await token()}${SEPARATOR}${SEPARATOR}`);
        const challenge = await saslAuthenticate({
          request: { encode: () => withLength(message) },
          response: { decode: withoutLength, parse: (data) => data.toString('utf8') },
        });
        if (challenge === undefined || challenge === '') return;
        const refused = new Error(`the token is refused: ${challenge}`);
        refused.name = 'LoginRefused';
        throw refused;
      },
    }),
  };
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(message.length);
  return Buffer.concat([length, message]);
}

const withoutLength = (data: Buffer): Buffer =>
  data.subarray(LENGTH_BYTES, LENGTH_BYTES + Math.max(0, data.readInt32BE(0)));
