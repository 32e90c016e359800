import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { BankPage } from "@/components/page";
import { services } from "@/lib/services";

/** Of the portal, on each of its pages. */
const links = [
  ["/docs", "Start"],
  ["/docs/first-call", "First call"],
  ["/docs/reference", "Reference"],
  ["/docs/errors", "Error codes"],
  ["/docs/changelog", "Changelog"],
  ["/statistics", "Status"],
] as const;

type Props = {
  readonly title: string;
  /** What was searched for. */
  readonly query?: string;
  readonly children: ReactNode;
};

export function DocsPage({ title, query, children }: Props) {
  const { name } = services().profile;
  return (
    <BankPage
      title={`${title} - ${name}`}
      bankName={name}
      place="For developers"
      navigation={
        <>
          <nav aria-label="Developer portal">
            {links.map(([path, label]) => (
              <a key={path} href={path} className="portal-link">
                {label}
              </a>
            ))}
          </nav>
          <search>
            <form action="/docs/search" className="portal-search">
              <label htmlFor="q">Search</label>
              <input id="q" name="q" type="search" maxLength={100} defaultValue={query} />
              <Button kind="counter">Find</Button>
            </form>
          </search>
        </>
      }
    >
      <script type="module" src="/built/copy-code.js" />
      <div className="card reference">
        <h1>{title}</h1>
        {children}
      </div>
    </BankPage>
  );
}
