import { describe, expect, it } from '@jest/globals';
import { explainWithin } from './data-folder.js';
import { explainFolderError, explainListenError, messageFor } from './start-error.js';

const failure = (code: string, path?: string): NodeJS.ErrnoException =>
  Object.assign(new Error(code), { code, ...(path === undefined ? {} : { path }) });

describe('errors of a start', () => {
  it.each(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'])(
    'are one sentence with the setting and a way out where nothing can listen: %s',
    (code) => {
      const at = { setting: 'PORT', host: 'router.example', port: 80 } as const;
      const message = messageFor(explainListenError(failure(code), at));
      expect(message).toMatch(/HOST is router\.example|port 80 .* set PORT/);
      expect(message).toMatch(/leave it unset/);
      expect(message).not.toContain('\n');
    },
  );

  it.each(['EEXIST', 'ENOTDIR', 'ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ELOOP', 'ENAMETOOLONG'])(
    'are one sentence with DATA_DIR and a way out where the folder cannot be used: %s',
    (code) => {
      const message = messageFor(explainFolderError(failure(code), '/srv/router'));
      expect(message).toMatch(/^DATA_DIR is \/srv\/router, which .*: .*DATA_DIR=~\/capability-router npm start$/);
    },
  );

  it('are of the folder where a file in it cannot be used, and of nothing else', () => {
    const within = explainWithin('/srv/router', './router', failure('EACCES', '/srv/router/keys.json'));
    expect(messageFor(within)).toMatch(/^DATA_DIR is \.\/router/);
    const elsewhere = failure('EACCES', '/srv/router-2/keys.json');
    expect(explainWithin('/srv/router', './router', elsewhere)).toBe(elsewhere);
  });

  it('are one sentence where the data is that of a newer build', () => {
    const newer = Object.assign(new Error('the database has a migration of the future'), { name: 'SchemaMismatch' });
    expect(messageFor(newer)).toBe(newer.message);
  });

  it('keep the stack of what nobody foresaw', () => {
    const unforeseen = failure('EMFILE');
    expect(explainListenError(unforeseen, { setting: 'PORT', host: '::1', port: 1 })).toBe(unforeseen);
    expect(explainFolderError(unforeseen, '/srv')).toBe(unforeseen);
    expect(messageFor(unforeseen)).toContain('    at ');
  });
});
