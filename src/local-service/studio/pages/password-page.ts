import { html, type Html } from '../html.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../identity/passwords.ts';
import { type Faults, faultSummary, textField } from './fields.ts';
import { type Signed, tokenField } from './layout.ts';
import { settingsPage } from './settings-pages.ts';

/** The form that changes a password, or, once it is changed, what that has done. */
export function passwordPage(signed: Signed, faults: Faults, isChanged: boolean): Html {
  return settingsPage(
    faults.size > 0 ? 'Error: Password' : 'Password',
    signed,
    'password',
    html`<div class="heading">
        <h1>Password</h1>
        <p class="lead">Changing it signs you out everywhere but here.</p>
      </div>
      ${
        isChanged &&
        html`<div class="notice good" role="status" tabindex="-1" autofocus>
          <h2>Your password was changed</h2>
          <p>Wherever else you were signed in, it takes the new one now.</p>
        </div>`
      }
      <section class="card narrow">
        ${faultSummary(faults)}
        <form method="post" action="/settings/password">
          ${tokenField(signed.token)}
          <input type="hidden" name="email" value="${signed.email}" autocomplete="username" />
          ${textField(
            {
              name: 'current',
              label: 'Current password',
              type: 'password',
              autocomplete: 'current-password',
              required: true,
              focused: faults.size === 0 && !isChanged,
            },
            faults,
          )}
          ${textField(
            {
              name: 'password',
              label: 'New password',
              type: 'password',
              autocomplete: 'new-password',
              hint: `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters. A sentence is good.`,
              required: true,
            },
            faults,
          )}
          <div class="actions"><button class="primary">Change password</button></div>
        </form>
      </section>`,
  );
}
