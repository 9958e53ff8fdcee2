import { type Content, html, type Html } from '../html.ts';
import { icon } from './icons.ts';

/** The errors of a form: a sentence by field name, in the order of the fields. */
export type Faults = ReadonlyMap<string, string>;

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

export function textField(field: TextField, faults: Faults): Html {
  const { name, type = 'text', value = '', lines = 1 } = field;
  const fault = faults.get(name);
  const about = [field.hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const attributes = html`id="${name}" name="${name}"
  ${field.autocomplete && html`autocomplete="${field.autocomplete}"`}
  ${field.required && html`required`} ${field.focused && html`autofocus`}
  ${field.maxLength && html`maxlength="${field.maxLength}"`}
  ${field.inputMode && html`inputmode="${field.inputMode}"`}
  ${about && html`aria-describedby="${about}"`} ${fault && html`aria-invalid="true"`}`;
  return html`<div class="field">
    <label for="${name}">${field.label}</label>
    ${field.hint && html`<p class="hint" id="${name}-hint">${field.hint}</p>`}
    ${faultLine(name, fault)}
    ${
      lines > 1
        ? html`<textarea ${attributes} rows="${lines}">${'\n'}${value}</textarea>`
        : html`<input ${attributes} type="${type}" value="${value}" />`
    }
  </div>`;
}

/** The field of `refusalOfPassword`, in a form that needs the password. */
export function currentPasswordField(faults: Faults, focused = false): Html {
  return textField(
    {
      name: 'current',
      label: 'Current password',
      type: 'password',
      autocomplete: 'current-password',
      required: true,
      focused,
    },
    faults,
  );
}

/** For password managers: whose password a form asks for. */
export function userNameField({ email }: { readonly email: string }): Html {
  return html`<input type="hidden" name="email" value="${email}" autocomplete="username" />`;
}

/** The error message below a field's label. */
export function faultLine(name: string, fault: string | undefined): Html | undefined {
  if (fault === undefined) return undefined;
  return html`<p class="fault" id="${name}-fault">${icon('warning')} ${fault}</p>`;
}

/** A summary of a form's errors, with a link to each field. It gets the focus. */
export function faultSummary(faults: Faults): Html | undefined {
  if (faults.size === 0) return undefined;
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
    <h2>
      ${icon('warning')} ${faults.size === 1 ? 'One thing needs' : 'Some things need'} another look
    </h2>
    <ul>
      ${Array.from(faults, ([name, fault]) => html`<li><a href="#${name}">${fault}</a></li>`)}
    </ul>
  </div>`;
}

/** @param choices pairs of value and label */
export function selectField(
  name: string,
  label: string,
  value: string,
  choices: readonly (readonly string[])[],
  faults: Faults,
): Html {
  const fault = faults.get(name);
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${faultLine(name, fault)}
    <select id="${name}" name="${name}" ${fault && html`aria-describedby="${name}-fault"`}>
      ${choices.map(
        ([choice, words]) =>
          html`<option value="${choice}" ${choice === value && html`selected`}>${words}</option>`,
      )}
    </select>
  </div>`;
}
