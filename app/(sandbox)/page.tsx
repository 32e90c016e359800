import { LanguageSwitch } from "@/components/language-switch";
import { Lead } from "@/components/lead";
import { NoticePage } from "@/components/notice-page";
import { house } from "@/lib/composition";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { SandboxFront } from "./front";
import { frontLanguage } from "./front-language";

export const dynamic = "force-dynamic";

export default async function FrontPage() {
  const { config, profile } = house();
  if (config.SANDBOX) {
    return (
      <SandboxFront bankName={profile.name} webUrl={config.WEB_URL} xs2aUrl={config.XS2A_URL} />
    );
  }
  const texts = textsFor(await frontLanguage());
  return (
    <NoticePage
      title={profile.name}
      bankName={profile.name}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path="/" />}
      {...texts.alone["nothing-here"]}
    >
      <Lead lang="en">
        For developers: <a href="/docs">the API, call by call</a>.
      </Lead>
    </NoticePage>
  );
}
