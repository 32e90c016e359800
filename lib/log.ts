import pino from "pino";

/**
 * JSON lines on stdout. Fields are named where they are logged, bodies and headers never are; the
 * list below is the second lock, for what somebody logs by mistake.
 */
export const log = pino({
  level: process.env["LOG_LEVEL"] ?? "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: [
      "authorization",
      "*.authorization",
      "cookie",
      "*.cookie",
      "password",
      "*.password",
      "code",
      "*.code",
      "iban",
      "*.iban",
      "access_token",
      "*.access_token",
      "refresh_token",
      "*.refresh_token",
      "tpp-signature-certificate",
      "*.tpp-signature-certificate",
    ],
    censor: "[redacted]",
  },
});
