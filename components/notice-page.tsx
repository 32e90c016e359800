import type { ReactNode } from "react";
import { type BankFrame, BankPage } from "./bank-page";
import { Card } from "./card";
import { Lead } from "./lead";

type Props = BankFrame & {
  readonly heading: string;
  readonly lead: string;
  readonly children?: ReactNode;
};

/** A page that only says something. */
export function NoticePage({ heading, lead, children, ...frame }: Props) {
  return (
    <BankPage {...frame}>
      <Card>
        <h1>{heading}</h1>
        <Lead>{lead}</Lead>
        {children}
      </Card>
    </BankPage>
  );
}
