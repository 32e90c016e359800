import type { Texts } from "@/lib/psu/texts/texts";
import type { View } from "@/lib/psu/view";
import { Alone } from "../alone";
import { AccountsQuestion } from "./accounts-question";
import { EndNotice } from "./end-notice";
import { FaultNotice } from "./fault-notice";
import { FundsQuestion } from "./funds-question";
import { LoginQuestion } from "./login-question";
import { PaymentQuestion } from "./payment-question";
import { SummaryQuestion } from "./summary-question";

type Props = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly path: string;
  readonly view: Exclude<View, { readonly page: "continue" }>;
};

/** One address per authorisation: the page that fits. */
export function AuthorisationPage({ texts, bankName, path, view }: Props) {
  switch (view.page) {
    case "login":
    case "login-again":
    case "not-yours":
      return <LoginQuestion texts={texts} view={view} />;
    case "accounts":
      return <AccountsQuestion texts={texts} view={view} />;
    case "summary":
      return <SummaryQuestion texts={texts} view={view} />;
    case "payment":
      return <PaymentQuestion texts={texts} view={view} />;
    case "funds":
      return <FundsQuestion texts={texts} view={view} />;
    case "fault":
      return <FaultNotice texts={texts} bankName={bankName} path={path} view={view} />;
    case "unknown":
      return <Alone texts={texts} bankName={bankName} path={path} notice={texts.alone.gone} />;
    default:
      return <EndNotice texts={texts} view={view} />;
  }
}
