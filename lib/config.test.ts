import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { completeConfig, madeInSandbox, readSettings, SettingError, settingNames } from "./config";
import { refusal } from "./testing-config";

describe("the settings", () => {
  const secret = "0123456789abcdef0123456789abcdef";

  /** A complete environment outside the sandbox. */
  const production = {
    SANDBOX: "false",
    XS2A_URL: "https://xs2a.bank.example",
    WEB_URL: "https://bank.example",
    DATABASE_URL: "postgres://drawbridge:pass-word@db.bank.example/drawbridge",
    TRUST_ANCHORS: "/etc/drawbridge/issuers.pem",
    XS2A_TLS_CERT: "/etc/drawbridge/tls.pem",
    XS2A_TLS_KEY: "/etc/drawbridge/tls.key",
    CORE_BANK_URL: "https://core.bank.example",
    IDP_ISSUER: "https://login.bank.example/realms/customers",
    IDP_CLIENT_ID: "drawbridge",
    IDP_CLIENT_KEY: "/etc/drawbridge/idp.pem",
    COOKIE_SECRET: secret,
    SESSION_SECRET: secret,
    CODE_SECRET: secret,
    TOKEN_SIGNING_KEY: "/etc/drawbridge/token.pem",
  };

  describe("the settings of a sandbox", () => {
    it("all have defaults", () => {
      expect(readSettings({})).toEqual({
        SANDBOX: true,
        SANDBOX_PUBLIC: false,
        NOTIFICATIONS_ORIGINS: [],
        XS2A_URL: "https://localhost:8443",
        XS2A_PORT: 8443,
        WEB_URL: "http://localhost:3000",
        WEB_PORT: 3000,
        BANK_API_PORT: 8444,
        DATA_DIR: ".data",
        KEEP_ALIVE: true,
        DATABASE_CONNECTIONS: 4,
        CORE_BANK_CONNECTIONS: 16,
        WORKERS: 1,
        REVOCATION: "hard",
        REVOCATION_ORIGINS: [],
        CLIENT_CERTIFICATE: "tls",
        LOG_LEVEL: "info",
        PSU_LOGIN: "password",
        PSU_SCA: ["passkey", "code"],
        IDP_SCOPE: "openid",
        IDP_CUSTOMER_CLAIM: "sub",
        IDP_SIGNING_ALG: "RS256",
        IDP_MAX_AGE_SECONDS: 0,
        IDP_REQUEST_OBJECT: false,
        IDP_CIBA: "poll",
        IDP_BINDING_MESSAGE: "text",
        STAFF_URL: "http://localhost:3001",
        STAFF_PORT: 3001,
        STAFF_IDP_SCOPE: "openid profile",
        STAFF_IDP_SIGNING_ALG: "RS256",
        STAFF_OPERATOR_CLAIM: "sub",
        STAFF_ROLES_CLAIM: "roles",
      });
    });

    it("move a host's address with its port", () => {
      const { XS2A_URL, WEB_URL } = readSettings({ XS2A_PORT: "9443", WEB_PORT: "4000" });
      expect([XS2A_URL, WEB_URL]).toEqual(["https://localhost:9443", "http://localhost:4000"]);
    });

    it("keep an address that is given beside a port", () => {
      const given = { XS2A_PORT: "9443", XS2A_URL: "https://tunnel.example/" };
      expect(readSettings(given).XS2A_URL).toBe("https://tunnel.example");
    });

    it("are unset when they are empty", () => {
      expect(readSettings({ WEB_PORT: "", DATABASE_URL: "" }).WEB_PORT).toBe(3000);
    });

    it.each(["hard", "soft", "off"])("may set REVOCATION=%s", (mode) => {
      expect(readSettings({ REVOCATION: mode }).REVOCATION).toBe(mode);
    });

    it("X6: name the responders in private networks as origins, one by one", () => {
      const given = { REVOCATION_ORIGINS: "http://ocsp.bank.example/, https://10.0.0.7:8080" };
      const origins = ["http://ocsp.bank.example", "https://10.0.0.7:8080"];
      expect(readSettings(given).REVOCATION_ORIGINS).toEqual(origins);
    });

    it("demand the gateway with its token, and the proxy's secret where a proxy brings the certificate", () => {
      expect(refusal({ SMS_GATEWAY_TOKEN: "token" })).toBe("missing:\n  SMS_GATEWAY_URL");
      expect(refusal({ CLIENT_CERTIFICATE: "proxy" })).toContain("PROXY_SECRET");
      const { PROXY_SECRET } = readSettings({ CLIENT_CERTIFICATE: "proxy", PROXY_SECRET: secret });
      expect(PROXY_SECRET).toBe(secret);
    });

    it.each([
      ["CORE_BANK_TLS_CERT", "cert.pem", ["CORE_BANK_URL", "CORE_BANK_TLS_KEY"]],
      ["CORE_BANK_TLS_CA", "ca.pem", ["CORE_BANK_URL"]],
      ["CORE_BANK_TOKEN", "token", ["CORE_BANK_URL"]],
      [
        "CORE_BANK_CLIENT_ID",
        "drawbridge",
        ["CORE_BANK_URL", "CORE_BANK_TOKEN_URL", "CORE_BANK_CLIENT_SECRET"],
      ],
    ])("%s demands the rest of the connection to the core bank", (name, value, missing) => {
      expect(refusal({ [name]: value })).toBe(`missing:\n  ${missing.join("\n  ")}`);
    });

    it("demand certificate and key of the TPP host together", () => {
      expect(refusal({ XS2A_TLS_CERT: "cert.pem" })).toContain("XS2A_TLS_KEY");
      expect(refusal({ XS2A_TLS_KEY: "cert.key" })).toContain("XS2A_TLS_CERT");
    });
  });

  describe("a bad setting", () => {
    it.each([
      ["SANDBOX", "yes"],
      ["SANDBOX_PUBLIC", "1"],
      ["XS2A_URL", "localhost:8443"],
      ["XS2A_URL", "https://bank.example/psd2"],
      ["WEB_URL", "ftp://bank.example"],
      ["XS2A_PORT", "0"],
      ["WEB_PORT", "65536"],
      ["WEB_PORT", "three"],
      ["DATABASE_URL", "mysql://localhost/bank"],
      ["WORKERS", "0"],
      ["WORKERS", "65"],
      ["WORKERS", "1.5"],
      ["WORKERS", "auto"],
      ["REVOCATION", "none"],
      ["REVOCATION_ORIGINS", "ocsp.bank.example"],
      ["REVOCATION_ORIGINS", "http://ocsp.bank.example/status"],
      ["REVOCATION_ORIGINS", "http://user@ocsp.bank.example"],
      ["REVOCATION_ORIGINS", "http://ocsp.bank.example,"],
      ["REVOCATION_ORIGINS", "*"],
      ["CLIENT_CERTIFICATE", "header"],
      ["PROXY_PEERS", "proxy.bank.example"],
      ["PROXY_SECRET", "short"],
      ["REDIRECT_URI_DOMAIN_CHECK", "off"],
      ["SMS_GATEWAY_URL", "sms"],
      ["SMS_GATEWAY_URL", "https://bank:hunter2@sms.bank.example/send"],
      ["SMS_GATEWAY_URL", "https://bank@sms.bank.example/send"],
      ["SMS_GATEWAY_TOKEN", "two words"],
      ["CORE_BANK_URL", "core"],
      ["CORE_BANK_URL", "https://bank:hunter2@core.bank.example/psd2"],
      ["CORE_BANK_CONNECTIONS", "0"],
      ["PSU_LOGIN", "saml"],
      ["IDP_ISSUER", "login.bank.example"],
      ["IDP_SIGNING_ALG", "none"],
      ["IDP_SIGNING_ALG", "HS256"],
      ["IDP_CIBA", "push"],
      ["COOKIE_SECRET", "short"],
      ["SESSION_SECRET", "short"],
      ["CODE_SECRET", "short"],
      ["LOG_LEVEL", "loud"],
    ])("%s=%s is named", (name, value) => {
      expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name}: must `));
    });

    it("is never repeated: it could be a secret", () => {
      const text = refusal({ COOKIE_SECRET: "hunter2", DATABASE_URL: "mysql://u:hunter2@h/d" });
      expect(text).toContain("COOKIE_SECRET");
      expect(text).toContain("DATABASE_URL");
      expect(text).not.toContain("hunter2");
    });
  });

  describe("outside the sandbox", () => {
    it("a complete environment is taken", () => {
      expect(completeConfig(readSettings(production)).SANDBOX).toBe(false);
    });

    const others = [
      ...["XS2A_URL", "WEB_URL", "XS2A_TLS_CERT", "XS2A_TLS_KEY", "CORE_BANK_URL"],
      ...["IDP_ISSUER", "IDP_CLIENT_ID", "IDP_CLIENT_KEY"],
    ];
    it.each([...madeInSandbox, ...others])("%s is demanded", (name) => {
      expect(refusal({ ...production, [name]: "" })).toMatch(new RegExp(`^  ${name}`, "m"));
    });

    it.each(["STAFF_URL", "STAFF_IDP_ISSUER", "STAFF_IDP_CLIENT_ID", "STAFF_IDP_CLIENT_KEY"])(
      "%s is demanded where the staff console has a port, which it has not by itself",
      (name) => {
        expect(readSettings(production).STAFF_PORT).toBe(0);
        const said = refusal({ ...production, STAFF_PORT: "3001" });
        expect(said).toMatch(new RegExp(`^  ${name}.*, for example `, "m"));
      },
    );

    it("STAFF_URL is refused where it is the PSUs' origin", () => {
      const staff = { STAFF_PORT: "3001", STAFF_IDP_ISSUER: "https://login.bank.example" };
      const client = { STAFF_IDP_CLIENT_ID: "staff", STAFF_IDP_CLIENT_SECRET: "s3cret" };
      const given = { ...production, ...staff, ...client, STAFF_URL: production.WEB_URL };
      expect(refusal(given)).toMatch(/^STAFF_URL: must be another origin than WEB_URL/);
      expect(readSettings({ ...given, STAFF_PORT: "0" }).STAFF_PORT).toBe(0);
    });

    it("says in one list what is missing, with an example of each", () => {
      const [heading, ...lines] = refusal({ SANDBOX: "false" }).split("\n");
      expect(heading).toBe("SANDBOX=false demands:");
      expect(lines.map((line) => line.split(", for example ")[0])).toEqual([
        "  DATABASE_URL",
        "  TRUST_ANCHORS",
        "  COOKIE_SECRET",
        "  SESSION_SECRET",
        "  CODE_SECRET",
        "  TOKEN_SIGNING_KEY",
        "  XS2A_TLS_CERT",
        "  XS2A_TLS_KEY",
        "  CORE_BANK_URL",
        "  IDP_ISSUER",
        "  IDP_CLIENT_ID",
        "  IDP_CLIENT_KEY",
        "  XS2A_URL with https",
        "  WEB_URL with https",
      ]);
      for (const line of lines) expect(line).toMatch(/, for example \S/);
    });

    it("a bank's customers sign in at its identity provider", () => {
      expect(refusal({ ...production, PSU_LOGIN: "password" })).toContain("  PSU_LOGIN oidc");
      expect(readSettings(production)).toMatchObject({ PSU_LOGIN: "oidc", PSU_SCA: ["oidc"] });
    });

    it.each(["code", "passkey"])("the gateway of text messages is demanded for %s", (means) => {
      const confirmed = { ...production, PSU_SCA: `ciba, ${means}` };
      expect(refusal(confirmed)).toMatch(/^ {2}SMS_GATEWAY_URL, for example/m);
      const SMS_GATEWAY_URL = "https://sms.bank.example/send";
      expect(readSettings({ ...confirmed, SMS_GATEWAY_URL }).PSU_SCA).toEqual(["ciba", means]);
    });

    it("signed requests take a key, all else a secret or a key", () => {
      const { IDP_CLIENT_KEY: _key, ...without } = production;
      const bySecret = { ...without, IDP_CLIENT_SECRET: "s3cret" };
      expect(readSettings(bySecret).IDP_CLIENT_SECRET).toBe("s3cret");
      expect(refusal({ ...bySecret, IDP_REQUEST_OBJECT: "true" })).toContain("  IDP_CLIENT_KEY");
    });

    it.each([
      ["SMS_GATEWAY_URL", "http://10.0.0.7/send"],
      ["SMS_GATEWAY_URL", "http://localhost.bank.example/"],
      ["CORE_BANK_URL", "http://core.bank.example/"],
      ["IDP_ISSUER", "http://login.bank.example/"],
    ])("nothing crosses a network in clear: %s=%s", (name, url) => {
      const said = `SANDBOX=false demands:\n  ${name} with https, for example `;
      expect(refusal({ ...production, [name]: url })).toContain(said);
    });

    it("a gateway on the server's own machine may use plain HTTP", () => {
      for (const SMS_GATEWAY_URL of ["http://localhost:9000/", "http://[::1]:9000/"]) {
        expect(readSettings({ ...production, SMS_GATEWAY_URL })).toMatchObject({ SMS_GATEWAY_URL });
      }
    });

    it("C5: revocation is asked about, hard unless soft is chosen", () => {
      expect(refusal({ ...production, REVOCATION: "off" })).toBe(
        "SANDBOX=false demands:\n  REVOCATION hard or soft",
      );
      expect(readSettings(production).REVOCATION).toBe("hard");
      expect(readSettings({ ...production, REVOCATION: "soft" }).REVOCATION).toBe("soft");
    });

    it.each(["XS2A_URL", "WEB_URL"])("%s without https is refused", (name) => {
      const text = refusal({ ...production, [name]: "http://bank.example" });
      expect(text).toContain(`${name} with https`);
    });

    it("behind a proxy the proxy's secret is demanded, and no TLS certificate", () => {
      const { XS2A_TLS_CERT: _cert, XS2A_TLS_KEY: _key, ...behind } = production;
      const proxied = { ...behind, CLIENT_CERTIFICATE: "proxy" };
      expect(refusal(proxied)).toContain("SANDBOX=false demands:\n  PROXY_SECRET, for example ");
      expect(readSettings({ ...proxied, PROXY_SECRET: secret }).CLIENT_CERTIFICATE).toBe("proxy");
    });
  });

  describe("the configuration of the application", () => {
    it("is refused when something is still missing", () => {
      expect(() => completeConfig(readSettings({}))).toThrow(SettingError);
    });
  });
});

describe(".env.example", () => {
  it("every setting is in .env.example, and nothing else is", () => {
    const text = readFileSync(".env.example", "utf8");
    const named = [...text.matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(settingNames.toSorted());
  });
});

describe("DATABASE_URL with several hosts", () => {
  describe("the database", () => {
    const sandboxAt = (url: string) => ({ DATABASE_URL: url });

    it("can have several hosts, as libpq names them", () => {
      const url =
        "postgres://me:word@db-1:5432,db-2,[::1]:5433/bank?target_session_attrs=read-write";
      expect(readSettings(sandboxAt(url)).DATABASE_URL).toBe(url);
    });

    it.each(["mysql://db/bank", "postgres://db-1:port,db-2/bank", "db-1,db-2"])(
      "is not %s",
      (url) => {
        expect(refusal(sandboxAt(url))).toBe("DATABASE_URL: must be a postgres:// URL");
      },
    );

    it("is never asked for a read-only session", () => {
      const said = "DATABASE_URL: target_session_attrs must be read-write or primary";
      expect(refusal(sandboxAt("postgres://a,b/bank?target_session_attrs=any"))).toBe(said);
    });
  });

  describe("the connections of a process to its database", () => {
    it("are from two to a hundred", () => {
      expect(readSettings({ DATABASE_CONNECTIONS: "100" }).DATABASE_CONNECTIONS).toBe(100);
      for (const value of ["1", "101", "few", "4.5"]) {
        expect(refusal({ DATABASE_CONNECTIONS: value })).toMatch(
          /^DATABASE_CONNECTIONS: must be a whole number of connections/,
        );
      }
    });
  });

  describe("the end of a server", () => {
    it("can have a pause of up to five minutes before it", () => {
      expect(readSettings({ DRAIN_SECONDS: "300" }).DRAIN_SECONDS).toBe(300);
      for (const value of ["-1", "301", "soon", "1.5"]) {
        expect(refusal({ DRAIN_SECONDS: value })).toMatch(
          /^DRAIN_SECONDS: must be a (whole )?number/,
        );
      }
    });
  });
});
