import { describe, expect, it } from 'vitest'
import { saysOutage } from './outage-prose.ts'

describe('words of a login, a quota or an overload (BL-24)', () => {
  it.each([
    'Failed to authenticate. API Error: 401',
    'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"Number of requests exceeded"}}',
    'usage limit reached',
    'Claude AI usage limit reached|1790000000',
    'Claude usage limit reached. Your limit will reset at 3pm (Europe/Berlin).',
    "You've hit your limit · resets 3pm",
    "You've reached your usage limit for this period.",
    '5-hour limit reached ∙ resets 7pm',
    'Error: You exceeded your current quota, please check your plan and billing details.',
    'Rate limit exceeded. Please try again in 20s.',
    'Too many requests',
    '⚠ Rate limited, please wait',
    'Credit balance is too low',
    'Insufficient credits',
    'Invalid API key · Please run /login',
    'Please run /login to continue',
    'You are not logged in. Run `codex login`.',
    'OAuth token has expired. Please obtain a new token.',
    'The model is currently overloaded. Please try again later.',
    '503 Service Unavailable',
    '您的额度已用完，请充值后重试。',
    '抱歉，账户余额不足',
    '请求过于频繁，请稍后再试',
    '错误：您已达到本月使用上限',
    '请先登录',
    '登录已过期，请重新登录',
    '身份验证失败',
    'API 密钥无效',
    '服务暂时不可用',
  ])('%s', (text) => {
    expect(saysOutage(text)).toBe(true)
    expect(saysOutage(`\n ${text}\n`)).toBe(true)
  })

  it.each([
    '',
    '{"notes":[{"type":"project","text":"usage limit reached is what the gateway says"}]}',
    '["usage limit reached"]',
    'Updated the note about the rate limit of the search service.',
    'The user wants a retry when the rate limit is reached.',
    'I merged two notes about login failures into one and removed the older.',
    'Ada asked to log in with a passkey instead of a password.',
    'The deploy failed because nobody was logged in.',
    'The team decided to limit uploads to 5 MB.',
    'Nothing to keep.',
    '用户希望接口在额度用完时给出提示，而不是直接失败。',
    '团队决定登录页面改用短信验证码。',
    '已更新关于请求频率限制的笔记。',
    `usage limit reached ${'and then the conversation went on about something else. '.repeat(10)}`,
  ])('is an answer: %s', (text) => {
    expect(saysOutage(text)).toBe(false)
  })
})
