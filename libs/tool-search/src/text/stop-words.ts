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
