import type { ReactNode } from "react";
import { BankPage } from "@/components/page";
import { services } from "@/lib/services";

type Props = { readonly title: string; readonly children: ReactNode };

/** A page of the developer portal beside the reference. */
export function DocsPage({ title, children }: Props) {
  const { name } = services().profile;
  return (
    <BankPage title={`${title} - ${name}`} bankName={name} place="For developers">
      <div className="card reference">
        <h1>{title}</h1>
        {children}
        <p>
          <a href="/docs/errors">Error codes</a> <a href="/docs">The API, call by call</a>
        </p>
      </div>
    </BankPage>
  );
}
