/** In a header's place: it is the same for every secret, so that not even the length is told. */
const HIDDEN = "(hidden)";
/** With the `>` of curl -v or without. A scheme, as in `Bearer`, may be seen. */
const HEADER =
  /^((?:> ?)?(?:proxy-authorization|authorization|cookie):[ \t]*(?:(?:bearer|basic|dpop)[ \t]+)?)[^\r\n]*/gim;
const PARAMETER =
  /(^|[?&\s])((?:access_token|refresh_token|token|code|code_verifier|client_secret|client_assertion)=)[^&\s]+/gi;

/** A request, or a part of one, with its tokens, codes and passwords hidden. */
export function withoutSecrets(text: string): string {
  return text.replace(HEADER, `$1${HIDDEN}`).replace(PARAMETER, `$1$2${HIDDEN}`);
}

/** Whether a header's value is one that was hidden, and then pasted again. */
export function isHidden(value: string | null): boolean {
  return value?.includes(HIDDEN) === true;
}
