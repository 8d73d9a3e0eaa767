/** Passwords and tokens given to a command on its line. */
import { isValue } from './judge-value.ts'
import { isPlaceholder, looksRandom } from './placeholder.ts'
import { patternRule, type SecretRule } from './rule.ts'

export const commandRules: readonly SecretRule[] = [
  patternRule(
    'command-password',
    /(?<![\w-])--?(?:password|passwd|pass|token|secret|api-?key|access-key|secret-key|auth-token|client-secret)(?:=|\s{1,3})["'`]?(?<value>[^\s"'`]{3,400})/gi,
    {
      needs: ['-pass', '-token', '-secret', '-api', '-access', '-auth', '-client'],
      accept: (match) => !match.value.startsWith('-') && isValue(match) && looksRandom(match.value, 4),
    },
  ),
  patternRule('command-password', /\bmysql(?:dump|admin)?\s[^\n|;&]{0,160}?(?<=\s)-p(?<value>[^\s'"-][^\s]{2,100})/g, {
    needs: ['mysql'],
    accept: ({ value }) => !isPlaceholder(value),
  }),
  patternRule(
    'command-password',
    /\b(?:sshpass\s{1,3}-p\s{0,3}|redis-cli\s(?:[^\n|;&]{0,80}?\s)?-a\s{1,3}|docker\s{1,3}login\s(?:[^\n|;&]{0,120}?\s)?-p\s{1,3})["'`]?(?<value>[^\s"'`]{3,100})/g,
    {
      needs: ['sshpass', 'redis-cli', 'docker'],
      accept: ({ value }) => !isPlaceholder(value) && !value.startsWith('-'),
    },
  ),
  patternRule(
    'command-password',
    /\bcurl\s[^\n|;&]{0,300}?(?:-u|--user)\s{1,3}["'`]?[\w.@+-]{1,80}:(?<value>[^\s"'`]{3,200})/g,
    {
      needs: ['curl'],
      accept: ({ value }) => !isPlaceholder(value),
    },
  ),
]
