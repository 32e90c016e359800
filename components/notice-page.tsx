import type { ReactNode } from "react";
import { type BankFrame, BankPage } from "./bank-page";

type Props = BankFrame & {
  readonly heading: string;
  readonly lead: string;
  readonly children?: ReactNode;
};

/** A page that only says something. */
export function NoticePage({ heading, lead, children, ...frame }: Props) {
  return (
    <BankPage {...frame}>
      <div className="card">
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
    </BankPage>
  );
}
