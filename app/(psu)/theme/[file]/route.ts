import { themeFile } from "@/lib/profile/theme-answer";

export const dynamic = "force-dynamic";

export const GET = themeFile;
