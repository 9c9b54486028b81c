import { randomUUID } from 'node:crypto';
import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import { asObject, asString } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/admin/v1/external-subjects';
const none = '00000000-0000-7000-8000-000000000000';

/** Subjects of external issuers that administrators link to accounts. */
export const externalSubjects: Slice = {
  name: 'external-subjects',
  async run(wire) {
    const [{ accountId, key }, other] = [await newAccount(1), await newAccount(1)];
    wire.caller('anna', key);
    const subject = `grace-${randomUUID()}`;
    wire.name('subject', subject);
    const told = ({ text }: Reply): boolean => !text.includes('"pending"');
    const ask = (title: string, method: string, of: string, body?: object, by = adminKey): Promise<Reply> =>
      wire.ask(title, method, of, { key: by, ...(body === undefined ? {} : { body }), until: told });
    const command = { account_id: accountId, issuer: 'globex', subject };

    const linked = await ask('a link', 'POST', path, command);
    const id = asString(asObject(linked.json['data'])['external_subject_id'], 'external_subject_id');
    await ask('a link, again', 'POST', path, command);
    await ask('a link of a subject that has another account', 'POST', path, {
      ...command,
      account_id: other.accountId,
    });
    await ask('a link of an unknown issuer', 'POST', path, { ...command, issuer: 'nobody' });
    await ask('a link to no account', 'POST', path, { ...command, account_id: `acc_${'0'.repeat(32)}` });
    await ask('a link of nobody', 'POST', path, { account_id: accountId, issuer: 'globex' });
    await ask('a link by somebody else', 'POST', path, command, key);
    await ask('the links of an account', 'GET', `${path}?account_id=${accountId}`);
    await ask('the link of a subject', 'GET', `${path}?issuer=globex&subject=${subject}`);
    await ask('links of nobody', 'GET', path);
    await ask('the end of a link', 'DELETE', `${path}/${id}`);
    await ask('the end of a link, again', 'DELETE', `${path}/${id}`);
    await ask('the end of no link', 'DELETE', `${path}/${none}`);
    await ask('no links', 'GET', `${path}?account_id=${accountId}`);
  },
};
