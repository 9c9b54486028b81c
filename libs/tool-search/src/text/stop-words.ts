/** Words that stand in most texts and tell nothing about a tool; not indexed, except in a tool's name. */
export const functionWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be by can do for from get give has have how i in into is it its me my need of on or our please ' +
    'some that the their them this to tool tools use using want we what when where which who will with you your'
  ).split(' '),
);

/** Words with which people ask; a request is searched without them, unless it has no others. */
export const requestWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...(
    'about above after again against all also am any because been before being between both but could d did does doing ' +
    'done down during each few further had having he her here hers him his if just let like ll m more most myself no ' +
    'nor not now off once only other ours out over own re s same she should so such t than theirs then there these they ' +
    'those through too under until up us ve very was were while whom why would yours yourself able needs needed help ' +
    'know provide tell show find getting looking look used okay ok hi hello hey thanks thank currently additionally ' +
    'furthermore finally lastly interested information'
  ).split(' '),
]);

/** Function characters of Chinese; as single characters they match nearly everything, and their translations nothing. */
export const functionCharacters: ReadonlySet<string> = new Set(
  '的了和与或在是把将为个一我要请用吗呢吧啊呀嘛么什怎谁哪那这些都也就很您你他她它们给帮想能可以会还有没',
);

/**
 * Chinese words with which people ask, count and join, whose translations tell nothing of what is asked for: a measure word such as `张` is
 * no `open` and no `sheet`, and `里` no `lining`.
 */
export const chineseRequestWords: ReadonlySet<string> = new Set([
  ...functionCharacters,
  ...(
    '一 两 个 位 名 条 张 份 篇 部 只 台 件 次 项 种 些 段 首 座 所 家 句 道 门 间 每 各 某 几 一个 一条 一张 一段 一份 一下 一些 一篇 一首 ' +
    '一部 一位 一种 一次 一项 一句 一名 两个 某个 某些 每个 各个 从 到 对 对于 关于 被 让 使 用 以 由 按 按照 根据 向 往 于 与 及 以及 并 并且 而 但 ' +
    '但是 如果 因为 所以 或者 还是 还有 能够 可 需 需要 想要 应该 得 着 过 来 去 起 出 成 为 之 其 其他 其它 此 该 另 另外 更 最 很 太 非常 ' +
    '几个 如何 怎样 是不是 有没有 能不能 会不会 对不对 可不可以 是否 现在 正在 已经 目前 进行 里 里面 上 下 中 内 外 前 后 上面 下面 之间 时 ' +
    '时候 的话 自己 人家 大家 别人 找 找到 找出 告诉 知道 提供 显示 获取 得到'
  ).split(' '),
]);
