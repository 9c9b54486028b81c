/** Numbers terms for all segments of an index. A term keeps its number for as long as the index lives. */
export class Dictionary {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private frequencies = new Uint32Array(1_024);

  get size(): number {
    return this.texts.length;
  }

  numberOf(term: string): number | undefined {
    return this.numbers.get(term);
  }

  textOf(number: number): string {
    return this.texts[number] ?? '';
  }

  /** Documents that hold the term; a removed one counts until its segment is merged. */
  frequencyOf(number: number): number {
    return this.frequencies[number] ?? 0;
  }

  add(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.numbers.set(term, number);
    this.texts.push(term);
    if (number >= this.frequencies.length) {
      const larger = new Uint32Array(this.frequencies.length * 2);
      larger.set(this.frequencies);
      this.frequencies = larger;
    }
    return number;
  }

  countDocuments(number: number, change: number): void {
    this.frequencies[number] = (this.frequencies[number] ?? 0) + change;
  }
}
