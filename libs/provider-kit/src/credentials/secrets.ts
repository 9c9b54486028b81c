/** Characters; what is shorter occurs by chance in any text. */
const MIN_SECRET_LENGTH = 6;

const REDACTED = '[redacted]';

/** Takes secrets out of whatever a provider sends back: echo services and careless error texts repeat them. */
export class Secrets {
  private readonly needles: readonly string[];

  constructor(values: readonly string[] = []) {
    const forms = values
      .filter((value) => value.length >= MIN_SECRET_LENGTH)
      .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
    this.needles = [...new Set(forms)];
  }

  redact(text: string): string {
    return this.needles.reduce(
      (rest, needle) => (rest.includes(needle) ? rest.replaceAll(needle, REDACTED) : rest),
      text,
    );
  }
}
