type Cookie = { readonly pair: string; readonly name: string; readonly path: string };

/** A browser as far as cookies go: it sends back what it was given, to the paths it was given for. */
export function testBrowser() {
  let jar: readonly Cookie[] = [];
  const covers = (cookie: Cookie, path: string) =>
    path === cookie.path || path.startsWith(cookie.path === "/" ? "/" : `${cookie.path}/`);
  return {
    keep: (answer: Response) => {
      const given = answer.headers.getSetCookie().map(parse);
      const names = given.map(({ name, path }) => `${name} ${path}`);
      jar = [...jar.filter(({ name, path }) => !names.includes(`${name} ${path}`)), ...given];
    },
    cookiesFor: (path: string): string | undefined => {
      const sent = jar.filter((cookie) => covers(cookie, path)).map(({ pair }) => pair);
      return sent.length > 0 ? sent.join("; ") : undefined;
    },
  };
}
export type TestBrowser = ReturnType<typeof testBrowser>;

function parse(setCookie: string): Cookie {
  const [pair = "", ...attributes] = setCookie.split("; ");
  const path = attributes.find((attribute) => attribute.toLowerCase().startsWith("path="));
  return { pair, name: pair.slice(0, pair.indexOf("=")), path: path?.slice(5) ?? "/" };
}
