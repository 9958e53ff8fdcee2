import type { QueryConfig } from 'pg';

/**
 * Some pg-boss statements contain values. The limit keeps them from filling a connection's memory.
 */
const MAX_STATEMENTS = 200;

/**
 * Names statements, so that a connection parses and plans each only once, which is half of the time
 * of a short one. Requires connections that belong to one client (PgBouncer: session mode), like
 * `LISTEN`.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>();

  of(text: string, values: readonly unknown[]): QueryConfig {
    // A text without values may contain several statements, which cannot be prepared.
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
