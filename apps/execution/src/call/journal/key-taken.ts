/** Another request took the key between the look-up and the start: nothing was started, held or sent. */
export class KeyTaken extends Error {
  constructor() {
    super('another request has taken the idempotency key');
    this.name = 'KeyTaken';
  }
}
