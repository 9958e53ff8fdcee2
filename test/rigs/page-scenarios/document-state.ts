/**
 * Objects of the browser whose properties tests replace. Others are not watched: a test that
 * changes one of those needs a document for itself.
 */
const CHANGEABLE = (page: Window & typeof globalThis): object[] => [
  page,
  page.navigator,
  page.Notification,
  page.HTMLElement.prototype,
  page.HTMLMediaElement.prototype,
  page.Map.prototype,
  page.Math,
  page.Date,
  page.Storage.prototype,
];

/** What a document has besides the elements of the app. */
export class DocumentState {
  readonly #page: Window & typeof globalThis;
  readonly #free: ReadonlySet<string>;
  readonly #before: readonly (readonly [object, Record<string, PropertyDescriptor>])[];

  /** @param free names of properties of the window that may change */
  constructor(page: Window & typeof globalThis, free: readonly string[]) {
    this.#page = page;
    this.#free = new Set(free);
    this.#before = CHANGEABLE(page).map((each) => [each, Object.getOwnPropertyDescriptors(each)]);
  }

  /**
   * Removes every element of the body, every attribute, the focus and the selection. Returns
   * whether the window and its objects are unchanged; those are not restored.
   */
  restore(): boolean {
    const { document } = this.#page;
    for (const root of [document.documentElement, document.body]) {
      for (const name of root.getAttributeNames()) root.removeAttribute(name);
    }
    document.body.replaceChildren();
    document.getSelection()?.removeAllRanges();
    return this.#before.every(([each, before]) => this.#isUnchanged(each, before));
  }

  #isUnchanged(each: object, before: Record<string, PropertyDescriptor>): boolean {
    const now = Object.getOwnPropertyDescriptors(each) as Record<string, PropertyDescriptor>;
    const names = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...names].every(
      (name) =>
        (each === this.#page && this.#free.has(name)) ||
        (Object.is(before[name]?.value, now[name]?.value) && before[name]?.get === now[name]?.get),
    );
  }
}
