/** Why no request was read from a pasted example. */
import type { CodeLanguage, UnreadKind } from '../../contract/examples/unread-notation.ts';

const SENTENCES: Readonly<
  Record<Exclude<UnreadKind, CodeLanguage>, { readonly en: string; readonly de: string }>
> = {
  none: {
    en: 'No request found. Paste the example for curl.',
    de: 'Keine Anfrage gefunden. Fügen Sie das Beispiel für curl ein.',
  },
  powershell: {
    en: 'This is a PowerShell command, which Spool does not read. Choose curl in the documentation, or “Copy as cURL (bash)” in the browser.',
    de: 'Das ist ein PowerShell-Befehl; den liest Spool nicht. Wählen Sie in der Dokumentation curl oder im Browser „Als cURL kopieren (bash)“.',
  },
  grpc: {
    en: 'This is a gRPC request, which Spool cannot send. It needs the service’s HTTP API.',
    de: 'Das ist eine gRPC-Anfrage; die kann Spool nicht senden. Gebraucht wird die HTTP-Schnittstelle des Dienstes.',
  },
  postman: {
    en: 'This is a Postman collection. In Postman, open the request, choose Code, then cURL, and paste that.',
    de: 'Das ist eine Postman-Sammlung. Öffnen Sie in Postman die Anfrage, wählen Sie Code, dann cURL, und fügen Sie das hier ein.',
  },
  insomnia: {
    en: 'This is an Insomnia export. In Insomnia, open the menu of the request, choose Copy as cURL, and paste that.',
    de: 'Das ist ein Export aus Insomnia. Öffnen Sie in Insomnia das Menü der Anfrage, wählen Sie Copy as cURL, und fügen Sie das hier ein.',
  },
  bruno: {
    en: 'This is a Bruno file. In Bruno, open the menu of the request, choose Generate Code, then Shell (cURL), and paste that.',
    de: 'Das ist eine Bruno-Datei. Öffnen Sie in Bruno das Menü der Anfrage, wählen Sie Generate Code, dann Shell (cURL), und fügen Sie das hier ein.',
  },
  har: {
    en: 'This is a browser’s log (HAR). In its network tools, choose Copy as cURL for the request, and paste that.',
    de: 'Das ist ein Protokoll aus dem Browser (HAR). Wählen Sie in seiner Netzwerkanalyse bei der Anfrage „Als cURL kopieren“, und fügen Sie das hier ein.',
  },
  openapi: {
    en: 'This is an API description (OpenAPI). Paste one request from the documentation: its example for curl.',
    de: 'Das ist eine Schnittstellenbeschreibung (OpenAPI). Fügen Sie eine einzelne Anfrage aus der Dokumentation ein: das Beispiel für curl.',
  },
};

function isCode(kind: UnreadKind): kind is CodeLanguage {
  return !Object.hasOwn(SENTENCES, kind);
}

export const noRequest = {
  en: (kind: UnreadKind) =>
    isCode(kind)
      ? `This is ${kind}, which Spool does not read. Choose curl in the documentation.`
      : SENTENCES[kind].en,
  de: (kind: UnreadKind) =>
    isCode(kind)
      ? `Das ist ${kind}; das liest Spool nicht. Wählen Sie in der Dokumentation curl.`
      : SENTENCES[kind].de,
};
