/** Why a text is no base64, as far as its letters tell; follows the name of what it should encode. */
export function misencoded(text: string): string {
  if (/^".*"$/.test(text)) return "is in quotation marks, base64 has none";
  if (/%[0-9a-f]{2}/i.test(text)) return "is percent-encoded, base64 is needed";
  if (/\s/.test(text)) return "is base64 with blanks in it";
  if (/^:.*:$/.test(text)) return "is in colons, as RFC 9530 has it; here it is plain base64";
  if (/^[\w-]+={0,2}$/.test(text) && /[-_]/.test(text)) return "is base64url, base64 is needed";
  if (/^[A-Za-z0-9+/]+$/.test(text) && text.length % 4 !== 0)
    return "is base64 without its padding";
  return "is not base64";
}
