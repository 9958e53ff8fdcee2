/** What a web host answers to a page that asks for its proof, sealed with the page's key. */
export type PageAnswer =
  /** Continue on this connection: the page is of this run. */
  | { readonly kind: 'here' }
  /** Open the link of the current run: the page is of an ended one. */
  | { readonly kind: 'moved'; readonly link: string };
