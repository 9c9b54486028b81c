import { oauthGrantTypes } from '@capability-router/contracts';
import { ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  internals,
  oddBodies,
  oddParameters,
  oddTexts,
  oddValues,
  wrongEverywhere,
} from './test-support/bad-input/bad-values.js';
import { BadInputSite } from './test-support/bad-input/bad-input-site.js';
import {
  classesJudgedBy,
  membersOf,
  withMember,
  withoutMember,
  type Member,
  type Place,
  type RequestClass,
} from './test-support/bad-input/request-class.js';
import { identityRoutes, nameOf, type IdentityRoute } from './test-support/bad-input/routes-of.js';
import type { Answer } from './test-support/running-identity.js';
import { Form } from './tokens/form.js';

const routes = identityRoutes();
const named = (wanted: (route: IdentityRoute) => boolean): [string, IdentityRoute][] =>
  routes.filter(wanted).map((route) => [nameOf(route), route]);

/** JSON that has no class: what is said here instead. */
const withoutClass = ['POST /internal/credentials::verify'];
/** Unknown members are ignored here, as the specification has it. */
const isOpen = ({ path }: IdentityRoute): boolean => path.startsWith('/api/v1/agent/');

let site: BadInputSite;
beforeAll(async () => {
  site = await BadInputSite.start(new ManualClock(Date.UTC(2026, 0, 15, 10)));
});
afterAll(() => site.stop());

/** The fault of an answer; undefined where it has none. */
function faultOf({ status, body, text, headers }: Answer, wanted?: number): string | undefined {
  if (status >= 500 || internals.test(text)) return `${status}: ${text.slice(0, 300)}`;
  if (wanted !== undefined && status !== wanted) return `${status} in place of ${wanted}: ${text.slice(0, 300)}`;
  if (status < 400 || String(headers['content-type']).startsWith('text/html')) return undefined;
  const told = body['status'] === 'failure' && typeof body['message'] === 'string' && body['message'] !== '';
  return told ? undefined : `${status} without the members of every refusal: ${text.slice(0, 300)}`;
}

class Faults {
  readonly found: string[] = [];
  sent = 0;

  add(what: string, answer: Answer, wanted?: number): void {
    this.sent += 1;
    const fault = faultOf(answer, wanted);
    if (fault !== undefined) this.found.push(`${what}: ${fault}`);
  }
}

interface PlacedMember extends Member {
  readonly place: Place;
}

/** All members that a route reads, with those of nested objects behind the one that holds them. */
async function membersRead(route: IdentityRoute): Promise<PlacedMember[]> {
  const classesOf = (body: unknown) => classesJudgedBy(() => site.send(route, JSON.stringify(body)));
  const [whole] = await classesOf({});
  const nest = async (target: RequestClass, before: Place, known: readonly RequestClass[]): Promise<PlacedMember[]> => {
    const members = membersOf(target).map((member) => ({ ...member, place: [...before, member.name] }));
    const inner = members.map(async (member) => {
      const within = member.isList ? [...member.place, 0 as const] : member.place;
      const judging = member.isNested ? await classesOf(withMember({}, within, {})) : [];
      const nested = judging.find((each) => !known.includes(each));
      return [member, ...(nested === undefined ? [] : await nest(nested, within, [...known, nested]))];
    });
    return (await Promise.all(inner)).flat();
  };
  return whole === undefined ? [] : nest(whole, [], [whole]);
}

const isWithin = (inner: Place, outer: Place): boolean =>
  inner.length > outer.length && outer.every((name, index) => name === inner[index]);

/** A body that is accepted: what is demanded, and `also` with what it demands. */
function bodyOf(members: readonly PlacedMember[], also: Place = []): unknown {
  const isWanted = ({ place, isOptional }: PlacedMember): boolean =>
    !isOptional || place.join() === also.join() || isWithin(also, place);
  const left = members.filter((member) => !isWanted(member));
  return members
    .filter((member) => isWanted(member) && !left.some(({ place }) => isWithin(member.place, place)))
    .reduce<unknown>((body, { place, name, valid }) => withMember(body, place, site.known(name) ?? valid), {});
}

describe('a body in JSON', () => {
  it.each(named(({ reads }) => reads === 'json'))(
    '%s: each member missing, null, of another type, too large, in another case, and unknown ones',
    async (name, route) => {
      const members = await membersRead(route);
      expect(members.length > 0).toBe(!withoutClass.includes(name));
      const faults = new Faults();
      const send = async (what: string, body: unknown, wanted?: number): Promise<void> =>
        faults.add(what, await site.send(route, typeof body === 'string' ? body : JSON.stringify(body)), wanted);
      const good = bodyOf(members);
      // The bodies that follow are refused for their own fault, and not for something else.
      const accepted = await site.send(route, JSON.stringify(good));
      const acceptable = site.acceptableOf(name) ?? [200, 201];
      if (!acceptable.includes(accepted.status)) faults.found.push(`${JSON.stringify(good)}: ${accepted.text}`);
      for (const { place, isOptional, isNullable, valid, name: member } of members) {
        const base = bodyOf(members, place);
        const at = place.join('.');
        const upper = [...place.slice(0, -1), member.toUpperCase()];
        await send(`${at} as it should be`, withMember(base, place, site.known(member) ?? valid));
        await send(`${at} missing`, withoutMember(base, place), isOptional ? undefined : 422);
        await send(`${at} null`, withMember(base, place, null), isNullable ? undefined : 422);
        const cased = withMember(withoutMember(base, place), upper, site.known(member) ?? valid);
        await send(`${at} in another case`, cased, isOptional && isOpen(route) ? undefined : 422);
        for (const [what, value] of wrongEverywhere) await send(`${at}: ${what}`, withMember(base, place, value), 422);
        for (const value of oddValues) {
          await send(
            `${at}: ${value}`,
            JSON.stringify(withMember(base, place, '%odd%')).replace('"%odd%"', () => value),
          );
        }
      }
      const extra = isOpen(route) || members.length === 0 ? undefined : 422;
      for (const unknown of ['colour', '__proto_', 'constructor', 'toString', '', '\u0000']) {
        await send(`the unknown member "${unknown}"`, withMember(good, [unknown], 'red'), extra);
      }
      for (const body of oddBodies) await send(`the body ${body.slice(0, 60)}`, body);
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-7',
      ]) {
        faults.add(`as ${type}`, await site.send(route, JSON.stringify(good), { 'content-type': type }));
      }
      expect(faults.found).toEqual([]);
    },
  );
});

describe('a parameter of a path', () => {
  it.each(named(({ path }) => /:[a-z]/i.test(path.replaceAll('::', ''))))('%s: of any text', async (_name, route) => {
    const faults = new Faults();
    for (const text of oddParameters) {
      faults.add(text, await site.sendTo(route, text, route.reads === 'json' ? '{}' : undefined));
    }
    expect(faults.found).toEqual([]);
  });
});

describe('a parameter of a query', () => {
  it.each(named(({ method }) => method === 'GET'))('%s: of any text, and given twice', async (_name, route) => {
    const faults = new Faults();
    const ask = (query: string): Promise<Answer> => site.send(route, undefined, {}, `?${query}`);
    const [read] = await classesJudgedBy(() => ask(''));
    const names = read === undefined ? ['limit', 'user_code'] : membersOf(read).map(({ name }) => name);
    for (const name of names) {
      for (const text of oddTexts) faults.add(`${name}=${text}`, await ask(`${name}=${text}`));
      faults.add(`${name} twice`, await ask(`${name}=1&${name}=2`), read === undefined ? undefined : 422);
      faults.add(`${name} as an object`, await ask(`${name}[x]=1`));
    }
    expect(faults.found).toEqual([]);
  });
});

/** The codes of the protocols that OAuth is made of. */
const protocolErrors = new Set(
  'invalid_request invalid_client invalid_grant unauthorized_client authorization_pending slow_down access_denied expired_token invalid_scope invalid_target unsupported_grant_type'.split(
    ' ',
  ),
);

function formFaultOf({ status, body, text, headers }: Answer): string | undefined {
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 300)}`;
  if (internals.test(text)) return `${status} tells how it is made: ${text.slice(0, 300)}`;
  if (String(headers['content-type']).startsWith('text/html')) return undefined;
  if (headers['cache-control'] !== 'no-store') return `${status}, which may be kept`;
  if (status === 200) return undefined;
  const members = Object.keys(body).sort().join();
  const isRefusal = [400, 401].includes(status) && members === 'error,error_description';
  return isRefusal && protocolErrors.has(String(body['error'])) ? undefined : `${status}: ${text.slice(0, 300)}`;
}

/** The names of the parameters that a form is asked for while `work` runs. */
async function parametersReadBy(work: () => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(Form.prototype, 'all');
  try {
    await work();
    return [...new Set(spy.mock.calls.map(([name]) => name))];
  } finally {
    spy.mockRestore();
  }
}

const lists = ['tool_ids', 'provider_ids'];

describe('a form', () => {
  it('is known of each route that reads one, and of each grant', () => {
    const forms = routes.filter(({ reads }) => reads === 'form').map(nameOf);
    expect([...new Set(site.forms.map(({ route }) => route))].sort()).toEqual(forms.sort());
    const grants = site.forms.flatMap(({ grant }) => grant ?? []);
    expect(grants.sort()).toEqual([...oauthGrantTypes].sort());
    expect(forms.length).toBeGreaterThan(8);
  });

  it('each parameter missing, empty, twice, in another case, too large, or of bytes that are no text', async () => {
    const found: string[] = [];
    for (const form of site.forms) {
      const route = routes.find((each) => nameOf(each) === form.route);
      if (route === undefined) throw new Error(`there is no route ${form.route}`);
      const post = async (what: string, text: string, wanted?: string): Promise<Answer> => {
        const answer = await site.post(route, text);
        const fault = formFaultOf(answer);
        const isOther = wanted !== undefined && answer.body['error'] !== undefined && answer.body['error'] !== wanted;
        if (fault !== undefined || isOther) found.push(`${form.route}, ${what}: ${fault ?? answer.text}`);
        return answer;
      };
      const text = async (...more: string[]): Promise<string> => [...(await form.parameters()), ...more].join('&');
      let first: Answer | undefined;
      const names = await parametersReadBy(async () => {
        first = await post('as it should be', await text());
      });
      if (first === undefined || !form.isAnswered(first)) found.push(`${form.route}: ${first?.text.slice(0, 300)}`);
      for (const name of names) {
        const others = async (): Promise<string[]> =>
          (await form.parameters()).filter((each) => !each.startsWith(`${name}=`));
        const own = (await form.parameters()).find((each) => each.startsWith(`${name}=`)) ?? `${name}=x`;
        const value = own.slice(name.length + 1);
        await post(`without ${name}`, (await others()).join('&'));
        await post(
          `${name} twice`,
          [...(await others()), own, own].join('&'),
          lists.includes(name) ? undefined : 'invalid_request',
        );
        await post(`${name} in another case`, [...(await others()), `${name.toUpperCase()}=${value}`].join('&'));
        await post(`${name} with brackets`, [...(await others()), `${name}[]=${value}`].join('&'));
        for (const odd of [value.toUpperCase(), ...oddTexts, 'x'.repeat(20_000)]) {
          await post(`${name}=${odd.slice(0, 40)}`, [...(await others()), `${name}=${odd}`].join('&'));
        }
      }
      for (const odd of ['', '&', '=', '&&==', '{"grant_type":"client_credentials"}', '\u0000', 'x'.repeat(20_000)]) {
        await post(`the form ${odd.slice(0, 40)}`, odd);
      }
      for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
        const answer = await site.post(route, type === 'application/json' ? '{}' : await text(), {
          'content-type': type,
        });
        // The gateway refuses it in the words of the protocol, before the service has it.
        const fault = answer.status === 415 ? faultOf(answer) : formFaultOf(answer);
        if (fault !== undefined) found.push(`${form.route}, as ${type}: ${fault}`);
      }
    }
    expect(found).toEqual([]);
  });
});
