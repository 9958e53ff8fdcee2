import { serviceIdOf } from '../../../contract/service-id.ts';
import type { Settings } from '../../../contract/settings.ts';

type Service = Settings['service'];
type Practice = (Service & { kind: 'local' })['practice'];

/** The fields that describe a service. They take effect when the user applies them. */
export interface ServiceForm {
  readonly kind: Service['kind'];
  /** The plan to practise with on this computer; `null` for none. */
  readonly practice: Practice;
  readonly baseUrl: string;
  /** PEM; empty for the authorities that the system trusts. */
  readonly ca: string;
}

export function formOfService(service: Service): ServiceForm {
  return service.kind === 'local'
    ? { ...service, baseUrl: '', ca: '' }
    : { ...service, practice: null, ca: service.ca ?? '' };
}

/** The form as the setting that the engine gets. */
export function serviceOfForm({ kind, practice, baseUrl, ca }: ServiceForm): Service {
  if (kind === 'local') return { kind, practice };
  return { kind, baseUrl: baseUrl.trim(), ca: ca.trim() === '' ? null : ca.trim() };
}

/** Whether two forms have the same text in every field, spaces included. */
export function isSameForm(one: ServiceForm, other: ServiceForm): boolean {
  return (
    one.kind === other.kind &&
    one.practice === other.practice &&
    one.baseUrl === other.baseUrl &&
    one.ca === other.ca
  );
}

/** Whether applying the form would change the service. */
export function isAnotherService(form: ServiceForm, inForce: ServiceForm): boolean {
  if (form.kind === 'local' || inForce.kind === 'local') return form.kind !== inForce.kind;
  return form.baseUrl.trim() !== inForce.baseUrl || form.ca.trim() !== inForce.ca.trim();
}

/** The service that a key would be bound to; `null` while no https address is entered. */
export function originIn(baseUrl: string): string | null {
  const url = URL.parse(baseUrl.trim());
  return url?.protocol === 'https:' && url.hostname !== '' ? serviceIdOf(url.href) : null;
}
