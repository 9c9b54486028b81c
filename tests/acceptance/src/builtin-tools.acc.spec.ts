import { beforeAll, describe, expect, it } from '@jest/globals';
import { fullResponse } from '@capability-router/contracts/answers';
import { newAccount } from './support/accounts.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject, asString } from './support/json.js';

/** Every tool that a deployment has from the start, with a need in an agent's words and one in Chinese. */
const tools: readonly (readonly [toolId: string, need: string, needZh: string])[] = [
  ['formula.expression.evaluate.v1', 'calculate sqrt(3^2 + 4^2)', '计算数学表达式'],
  ['formula.unit.convert.v1', 'convert miles to kilometres', '英里换算成千米'],
  ['formula.statistics.describe.v1', 'mean and quartiles of a list of numbers', '均值与四分位数'],
  ['formula.regression.fit.v1', 'fit a trend line and forecast', '线性回归预测'],
  ['almanac.time.convert.v1', 'what time is it in Tokyo when it is noon in Berlin: time zones', '时区时间换算'],
  ['almanac.date.difference.v1', 'how many working days between two dates', '两个日期之间的工作日'],
  ['almanac.holiday.list.v1', 'public holidays of Germany', '公共假日查询'],
  ['almanac.chinese_calendar.convert.v1', 'Chinese lunar calendar and zodiac animal', '公历转农历生肖'],
  ['almanac.cron.explain.v1', 'explain a crontab line', '解释 cron 表达式'],
  ['almanac.moon.phase.v1', 'when is the next full moon', '下一次满月是什么时候'],
  ['almanac.sun.times.v1', 'sunrise and sunset times', '日出日落时间'],
  ['atlas.country.facts.v1', 'capital and calling code of a country', '国家首都与电话区号'],
  ['atlas.city.list.v1', 'largest cities of a country by population', '国家的城市人口'],
  ['atlas.distance.geodesic.v1', 'exact distance between two coordinates', '两坐标之间的精确距离'],
  ['atlas.currency.facts.v1', 'ISO 4217 currency code and symbol', '货币代码与符号'],
  ['lingua.language.detect.v1', 'detect the language of a short text', '检测文本语言'],
  ['lingua.sentiment.score.v1', 'is this review positive or negative', '评论的情感分析'],
  ['lingua.phone.check.v1', 'validate a phone number', '电话号码校验'],
  ['lingua.language.facts.v1', 'ISO 639 code of a language', '语言代码查询'],
  ['lingua.number.to_words.v1', 'spell a number out for a cheque', '金额大写'],
  ['lingua.pinyin.convert.v1', 'romanise Chinese characters as pinyin', '汉字转拼音'],
  ['lingua.readability.score.v1', 'reading grade level of a text', '文本可读性评分'],
  ['toolbox.csv.to_json.v1', 'parse CSV into JSON', 'CSV 转 JSON'],
  ['toolbox.json.to_csv.v1', 'export JSON rows as CSV for a spreadsheet', 'JSON 转 CSV'],
  ['toolbox.qr.svg.v1', 'make a QR code of a link', '生成二维码'],
  ['toolbox.language.identify.v1', 'identify which language a paragraph is written in', '长文本语种识别'],
  ['toolbox.distance.haversine.v1', 'great-circle distance, quick estimate', '大圆距离估算'],
  ['toolbox.card.check.v1', 'Luhn check of a card number', '卡号 Luhn 校验'],
  ['toolbox.color.convert.v1', 'hex to rgb and hsl', '颜色 hex 转 rgb'],
  ['toolbox.cron.next.v1', 'next runs of a cron job', 'cron 下次执行时间'],
  ['toolbox.text.diff.v1', 'character changes and edit distance of two texts', '两段文本的编辑距离'],
  ['toolbox.email.check.v1', 'e-mail syntax check', '邮箱格式检查'],
  ['toolbox.hash.digest.v1', 'md5 checksum of a text', '计算 MD5'],
  ['toolbox.iban.check.v1', 'quick IBAN check', 'IBAN 快速校验'],
  ['toolbox.markdown.to_html.v1', 'convert GitHub Markdown to HTML', 'GitHub Markdown 转 HTML'],
  ['toolbox.json.select.v1', 'select values from JSON', 'JSON 取值'],
  ['toolbox.slug.make.v1', 'URL slug from a title', '标题生成网址别名'],
  ['toolbox.numbers.summarize.v1', 'average, mode and outliers of numbers', '平均数与异常值'],
  ['toolbox.sun.estimate.v1', 'approximate sunrise and golden hour', '日出日落估算'],
  ['toolbox.yaml.load.v1', 'read a YAML document', '读取 YAML 文档'],
  ['scribe.article.extract.v1', 'extract the main article of a web page', '网页正文提取'],
  ['scribe.text.diff.v1', 'compare two versions of a text and make a patch', '比较两个版本的文本'],
  ['scribe.html.to_text.v1', 'strip HTML tags to plain text', 'HTML 转纯文本'],
  ['scribe.markdown.to_html.v1', 'render Markdown as safe HTML', 'Markdown 渲染为 HTML'],
  ['scribe.template.render.v1', 'fill in a template with data', '模板渲染'],
  ['scribe.slug.make.v1', 'URL slug of a Chinese title', '中文标题转网址别名'],
  ['assay.card.check.v1', 'check a credit card number and its brand', '信用卡号校验'],
  ['assay.code.check.v1', 'validate an EAN barcode number or an ISIN', '商品条码校验'],
  ['assay.email.check.v1', 'is this a disposable e-mail address', '识别一次性邮箱'],
  ['assay.iban.check.v1', 'validate an IBAN bank account number', '银行账号 IBAN 校验'],
  ['assay.isbn.check.v1', 'convert ISBN-10 to ISBN-13', 'ISBN 书号校验'],
  ['forge.version.compare.v1', 'compare semantic versions', '软件版本比较'],
  ['forge.color.convert.v1', 'contrast of a colour for accessibility', '颜色对比度检查'],
  ['forge.jwt.decode.v1', 'decode a JWT', '解码 JWT'],
  ['forge.hash.digest.v1', 'sha3 hash or hmac of a text', '文本哈希 HMAC'],
  ['forge.barcode.draw.v1', 'draw an EAN-13 barcode', '生成条形码'],
  ['forge.text.encode.v1', 'decode Base64', 'Base64 解码'],
  ['forge.id.generate.v1', 'generate a UUID', '生成 UUID'],
  ['forge.network.inspect.v1', 'subnet calculator for a CIDR block', '子网计算'],
  ['forge.json.to_xml.v1', 'write JSON as XML', 'JSON 转 XML'],
  ['forge.json.to_yaml.v1', 'write JSON as YAML', 'JSON 转 YAML'],
  ['forge.regex.match.v1', 'find all matches of a regular expression', '正则表达式匹配'],
  ['forge.url.parse.v1', 'registrable domain of a URL', '网址解析域名'],
  ['forge.json.query.v1', 'query JSON with JSONPath', '用 JSONPath 查询'],
  ['forge.xml.to_json.v1', 'parse XML into JSON', 'XML 转 JSON'],
  ['forge.yaml.to_json.v1', 'convert YAML to JSON', 'YAML 转 JSON'],
];

/** Each is asked for three times: one account's allowance of searches in a minute is not enough for all. */
const ACCOUNTS = 4;
/** Results, of which the wanted tool is one. */
const TOP = 10;

const keys: string[] = [];
beforeAll(async () => {
  for (let made = 0; made < ACCOUNTS; made += 1) keys.push((await newAccount()).key);
});
const keyOf = (toolId: string): string => keys[tools.findIndex(([id]) => id === toolId) % ACCOUNTS] ?? '';

async function found(key: string, query: string): Promise<Map<string, unknown>> {
  const reply = await call('POST', '/search', { key, body: { query, limit: TOP } });
  expect(reply.status).toBe(200);
  return new Map(
    asArray(reply.json['results'], 'results').map((item) => {
      const tool = asObject(item);
      return [asString(tool['tool_id'], 'tool_id'), asObject(tool['examples'])['sample_parameters']] as const;
    }),
  );
}

describe('the built-in tool', () => {
  it.each(tools)('%s is found by its need, and called with its sample parameters succeeds', async (toolId, need) => {
    const key = keyOf(toolId);
    const results = await found(key, need);
    expect([...results.keys()]).toContain(toolId);
    const parameters = asObject(results.get(toolId), 'sample_parameters');
    const reply = await execute(key, { toolId, parameters });
    expect(reply.status).toBe(200);
    expectShape(reply.json, fullResponse);
    expect(reply.json['execution_outcome']).toMatchObject({ outcome: 'success', reason_code: 'result.valid' });
  });

  it.each(tools)('%s is found in Chinese', async (toolId, _need, needZh) => {
    expect([...(await found(keyOf(toolId), needZh)).keys()]).toContain(toolId);
  });
});
