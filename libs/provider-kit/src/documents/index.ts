/** Documents that operators send. An entry of its own, because whoever reads them need not call providers. */
export { parseYaml } from './parse-yaml.js';
export { readDocument } from './read-document.js';
export {
  MAX_ROW_BYTES,
  NdjsonReader,
  syntaxFault,
  YamlReader,
  type ParsedRow,
  type Row,
  type RowReader,
} from './rows.js';
export { YamlPool, type ParsedYaml, type YamlTask } from './yaml-pool.js';
