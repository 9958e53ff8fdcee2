/**
 * For a button that its opposite, or one for something else, replaces in the same place: the second
 * click of a double click would press that one.
 */
export const onFirstClick =
  (run: () => unknown) =>
  ({ detail: clicks }: MouseEvent): void => {
    // A key counts as no click.
    if (clicks < 2) void run();
  };
