import { type Content, html, type Html } from '../html.ts';
import { icon } from './icons.ts';

/** The errors of a form: a sentence by field name, in the order of the fields. */
export type Issues = ReadonlyMap<string, string>;

export interface TextField {
  /** Both the field's name and its id. */
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: 'text' | 'email' | 'password' | 'number';
  readonly autocomplete?: string;
  readonly hint?: Content;
  readonly required?: boolean;
  readonly focused?: boolean;
  readonly maxLength?: number;
  /** Number of visible lines; more than one creates a text area. */
  readonly lines?: number;
  readonly inputMode?: 'decimal' | 'numeric';
}

export function textField(field: TextField, issues: Issues): Html {
  const { name, type = 'text', value = '', lines = 1 } = field;
  const issue = issues.get(name);
  const about = [field.hint && `${name}-hint`, issue && `${name}-issue`].filter(Boolean).join(' ');
  const attributes = html`id="${name}" name="${name}"
  ${field.autocomplete && html`autocomplete="${field.autocomplete}"`}
  ${field.required && html`required`} ${field.focused && html`autofocus`}
  ${field.maxLength && html`maxlength="${field.maxLength}"`}
  ${field.inputMode && html`inputmode="${field.inputMode}"`}
  ${about && html`aria-describedby="${about}"`} ${issue && html`aria-invalid="true"`}`;
  return html`<div class="field">
    <label for="${name}">${field.label}</label>
    ${field.hint && html`<p class="hint" id="${name}-hint">${field.hint}</p>`}
    ${issueLine(name, issue)}
    ${
      lines > 1
        ? html`<textarea ${attributes} rows="${lines}">${'\n'}${value}</textarea>`
        : html`<input ${attributes} type="${type}" value="${value}" />`
    }
  </div>`;
}

/** The field of `refusalOfPassword`, in a form that needs the password. */
export function currentPasswordField(issues: Issues, focused = false): Html {
  return textField(
    {
      name: 'current',
      label: 'Current password',
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      focused,
    },
    issues,
  );
}

/** For password managers: whose password a form asks for. */
export function userNameField({ email }: { readonly email: string }): Html {
  return html`<input type="hidden" name="email" value="${email}" autocomplete="username" />`;
}

/** The error message below a field's label. */
export function issueLine(name: string, issue: string | undefined): Html | undefined {
  if (issue === undefined) return undefined;
  return html`<p class="issue" id="${name}-issue">${icon('warning')} ${issue}</p>`;
}

/** A summary of a form's errors, with a link to each field. It gets the focus. */
export function issueSummary(issues: Issues): Html | undefined {
  if (issues.size === 0) return undefined;
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
    <h2>
      ${icon('warning')} ${issues.size === 1 ? 'One thing needs' : 'Some things need'} another look
    </h2>
    <ul>
      ${Array.from(issues, ([name, issue]) => html`<li><a href="#${name}">${issue}</a></li>`)}
    </ul>
  </div>`;
}

/** @param choices pairs of value and label */
export function selectField(
  name: string,
  label: string,
  value: string,
  choices: readonly (readonly string[])[],
  issues: Issues,
): Html {
  const issue = issues.get(name);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${issueLine(name, issue)}
    <select id="${name}" name="${name}" ${issue && html`aria-describedby="${name}-issue"`}>
      ${choices.map(
        ([choice, words]) =>
          html`<option value="${choice}" ${choice === value && html`selected`}>${words}</option>`,
      )}
    </select>
  </div>`;
}
