/** The same need in English and in Chinese, and a tool that serves it. */
export const needs = [
  ['convert miles to kilometres', '把英里换算成公里', 'formula.unit.convert.v1'],
  ['public holidays in Germany', '德国的公共假日', 'almanac.holiday.list.v1'],
  ['sunrise and sunset times', '日出日落时间', 'almanac.sun.times.v1'],
  ['phase of the moon tonight', '今晚的月相', 'almanac.moon.phase.v1'],
  ['detect the language of a text', '检测文本的语言', 'lingua.language.detect.v1'],
  ['validate a phone number', '校验电话号码', 'lingua.phone.check.v1'],
  ['check an IBAN bank account', '校验 IBAN 银行账号', 'assay.iban.check.v1'],
  ['convert chinese characters to pinyin', '汉字转拼音', 'lingua.pinyin.convert.v1'],
  ['compare two texts', '比对两段文本的差异', 'scribe.text.diff.v1'],
  ['generate a qr code', '生成二维码', 'toolbox.qr.svg.v1'],
  ['difference between two dates', '两个日期之间的间隔', 'almanac.date.difference.v1'],
  ['facts about a country', '国家概况', 'atlas.country.facts.v1'],
] as const;
