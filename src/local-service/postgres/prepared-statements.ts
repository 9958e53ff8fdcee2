import type { QueryConfig } from 'pg';

/** Some of pg-boss's statements contain values; they must not fill the memory of every connection. */
const MAX_STATEMENTS = 200;

/**
 * Names statements, so that each connection parses and plans one once: half of what a short one takes.
 * Connections must belong to one client at a time (PgBouncer: session mode), as `LISTEN` requires too.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();

  of(text: string, values: readonly unknown[]): QueryConfig {
    // Those without values may be several at once, which cannot be prepared.
    if (values.length === 0) return { text };
    return { name: this.#nameOf(text), text, values: [...values] };
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_STATEMENTS) return known;
    const name = `spool_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
