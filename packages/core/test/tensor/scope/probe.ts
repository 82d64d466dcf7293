// A resource for tests of scope that tells when it is disposed.

/** A resource that records its name when it is disposed, and then throws `failure` if that is set. */
export class Probe {
  readonly log: string[];
  readonly name: string;
  readonly failure: unknown;
  constructor(log: string[], name: string, failure?: unknown) {
    this.log = log;
    this.name = name;
    this.failure = failure;
  }
  [Symbol.dispose](): void {
    this.log.push(this.name);
    if (this.failure !== undefined) throw this.failure;
  }
}
