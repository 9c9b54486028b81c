import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { flag, isText, list, optionalText } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadSemver = lazy(async () => (await import('semver')).default);

/** Characters; the library's own bound. */
const MAX_VERSION_LENGTH = 256;

export const compareVersions = defineTool({
  toolId: 'forge.version.compare.v1',
  name: { en: 'Compare software versions', zh: '软件版本比较' },
  description: {
    en: 'Sorts semantic versions, finds the newest, and tells which satisfy an npm range such as "^1.2 || >=3". For choosing upgrades and checking dependencies.',
    zh: '对语义化版本排序、找出最新版本，并判断哪些满足 npm 版本范围（如 "^1.2 || >=3"）。适合选择升级版本与检查依赖。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'software.compare_versions', tags: ['semver', 'npm', 'range', 'upgrade', 'dependency'] }],
  parameters: {
    versions: {
      schema: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: MAX_VERSION_LENGTH },
        minItems: 1,
        maxItems: 1_000,
      },
      en: 'Versions such as "1.4.0" or "v2.0.0-rc.1".',
      zh: '版本号，如 "1.4.0" 或 "v2.0.0-rc.1"。',
      required: true,
    },
    range: {
      schema: { type: 'string', minLength: 1, maxLength: MAX_VERSION_LENGTH },
      en: 'npm range to satisfy.',
      zh: '要满足的 npm 版本范围。',
    },
    include_prerelease: {
      schema: { type: 'boolean', default: false },
      en: 'May a range be satisfied by a pre-release?',
      zh: '版本范围是否允许预发布版本。',
    },
  },
  sampleParameters: { versions: ['1.10.0', '1.9.3', 'v2.0.0-rc.1'], range: '^1.2' },
  price: perCall('0.1'),
  run: async (parameters) => {
    const semver = await loadSemver();
    const written = list(parameters, 'versions', isText);
    const invalid = written.filter((version) => semver.valid(version) === null);
    const sorted = semver.sort(written.flatMap((version) => semver.valid(version) ?? []));
    if (sorted.length === 0) throw new ToolInputError('None of "versions" is a semantic version such as 1.4.0.');
    const range = optionalText(parameters, 'range');
    const options = { includePrerelease: flag(parameters, 'include_prerelease', false) };
    if (range !== undefined && semver.validRange(range) === null) {
      throw new ToolInputError('Parameter "range" is no version range. Write it like "^1.2" or ">=1.0.0 <3".');
    }
    const satisfying =
      range === undefined ? null : sorted.filter((version) => semver.satisfies(version, range, options));
    return {
      sorted,
      newest: sorted.at(-1) ?? null,
      invalid,
      satisfying,
      newest_satisfying: satisfying?.at(-1) ?? null,
    };
  },
});
