/** What a browser does with Set-Cookie, as far as the tests need it. */
export function cookieJar(first: string) {
  const [firstName = "", firstValue = ""] = first.split("=");
  const cookies = new Map([[firstName, firstValue]]);
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    keep: (response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        const [name = "", value = ""] = pair.split("=");
        if (/max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
  };
}
