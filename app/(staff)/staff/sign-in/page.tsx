import { Actions, Button, ButtonLink } from "@/components/button";
import { TextField } from "@/components/form";
import { LanguageSwitch } from "@/components/frame";
import { BankPage } from "@/components/page";
import { Card, Lead } from "@/components/text";
import { loadStaffAlone } from "@/lib/staff/page-loaders";
import { SWITCH_PATH, staffPath, staffProviderPath } from "@/lib/staff/paths";
import { SaidNotice } from "../../staff-page";

type Props = { readonly searchParams: Promise<{ readonly to?: string | string[] }> };

export default async function StaffSignInPage({ searchParams }: Props) {
  const to = staffPath((await searchParams).to);
  const { services, texts, said } = await loadStaffAlone("/staff/sign-in");
  const { profile, findDemoOperator } = services;
  const { signIn: words } = texts;
  const title = texts.title(words.heading, profile.name);
  return (
    <BankPage
      title={title}
      bankName={profile.name}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path="/staff/sign-in" action={SWITCH_PATH} />}
    >
      <SaidNotice texts={texts} said={said} />
      <Card>
        <h1>{words.heading}</h1>
        <Lead>{words.lead}</Lead>
        {findDemoOperator === undefined ? (
          <Actions>
            <ButtonLink href={staffProviderPath(to)}>{words.provider(profile.name)}</ButtonLink>
          </Actions>
        ) : (
          <form method="post" action="/staff/sign-in/password" noValidate>
            <input type="hidden" name="to" value={to} />
            <TextField
              id="operator"
              label={words.operator}
              input={{ name: "operator", autoComplete: "username" }}
            />
            <TextField
              id="password"
              label={words.password}
              input={{ name: "password", type: "password", autoComplete: "current-password" }}
            />
            <Actions>
              <Button>{words.submit}</Button>
            </Actions>
          </form>
        )}
      </Card>
    </BankPage>
  );
}
