declare const importRefBrand: unique symbol;
/** `imp_` + 32 hex digits: what names an imported model call in the ledger, the audit and its settlement. */
export type ImportRef = string & { readonly [importRefBrand]: true };
