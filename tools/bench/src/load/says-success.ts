export function hasMember(body: string, name: string): boolean {
  return Object.hasOwn(JSON.parse(body) as object, name);
}

/** Does the answer of a Call say that it succeeded? A failed one is answered 200, too. */
export function saysSuccess(body: string): boolean {
  try {
    return (JSON.parse(body) as { success?: unknown }).success === true;
  } catch {
    return false;
  }
}
