/**
 * Shipped aliases: technical words that mean the same in English and Chinese. One line each, words apart by `|`.
 * Recall takes them both ways and at half weight, so a doubtful pair costs little there; words with several everyday
 * meanings stay out. A line that begins with `~` holds words that are only related: no note may be merged by them.
 */

const lines = `
~容器|docker|container
数据库|database|db
部署|deploy|deployment
单元测试|unit test
测试|test|testing
集成测试|integration test
端到端测试|end-to-end test|e2e
回归测试|regression test
测试覆盖率|test coverage
认证|身份验证|auth|authentication
授权|authorization|permission
登录|登陆|login|sign in
注册|sign up|registration
~权限|permission|access control
密码|password
~密钥|secret|api key
令牌|token
会话|session
缓存|cache
队列|queue
消息队列|message queue
线程|thread
进程|process
协程|coroutine
守护进程|daemon
并发|concurrency
异步|async|asynchronous
同步|sync|synchronize
锁|lock
死锁|deadlock
事务|transaction
索引|index
查询|query
迁移|migration|migrate
备份|backup
恢复|restore|recover
回滚|rollback|roll back
发布|release|publish
上线|go live|launch
版本|version
~版本控制|version control|git
分支|branch
合并|merge
变基|rebase
提交|commit
冲突|conflict
拉取请求|合并请求|pull request|pr
代码审查|代码评审|code review
仓库|代码库|repository|repo
标签|tag|label
工单|ticket|issue
~缺陷|漏洞|bug
安全漏洞|vulnerability
调试|debug|debugging
日志|log|logging
监控|monitoring
告警|报警|alert
指标|metrics
性能|performance
延迟|latency
吞吐量|throughput
内存|memory
内存泄漏|memory leak
磁盘|disk
处理器|cpu
显卡|gpu
网络|网路|network
防火墙|firewall
代理|proxy
负载均衡|load balancer|load balancing
域名|domain
~证书|certificate|tls
加密|encryption|encrypt
服务器|伺服器|server
客户端|client
前端|frontend|front-end
~后端|后台|backend|back-end
全栈|full-stack
框架|framework
库|library
依赖|dependency|dependencies
包管理器|package manager
模块|模组|module
组件|component
插件|扩展|plugin|extension
接口|介面|api|interface
端点|endpoint
网关|gateway
微服务|microservice
无服务器|serverless
云|云端|cloud
集群|cluster
节点|node
~编排|orchestration|kubernetes|k8s
镜像|docker image
虚拟机|virtual machine|vm
~流水线|管道|pipeline
持续集成|continuous integration|ci
持续部署|continuous deployment|cd
构建|build
编译|compile
编译器|compiler
打包|bundle|bundler
脚本|script
命令行|command line|cli
终端|terminal|shell
编辑器|editor
编程语言|programming language
技术栈|tech stack
函数|function
变量|variable
类型|type
类型检查|type check|typecheck
泛型|generics
继承|inheritance
类|class
对象|object
数组|array
字符串|string
布尔|boolean
正则表达式|正则|regex|regular expression
循环|loop
递归|recursion
异常|exception
错误处理|error handling
重构|refactor|refactoring
优化|optimize|optimization
算法|演算法|algorithm
数据结构|data structure
机器学习|machine learning
深度学习|deep learning
人工智能|artificial intelligence
大模型|大语言模型|llm|large language model
模型|model
训练|training
推理|inference
提示词|prompt
向量|vector
嵌入|embedding
智能体|代理人|agent
记忆|memory
上下文|context
检索|retrieval
搜索|搜寻|search
推荐|recommend|recommendation
配置|设置|设定|configuration|config|settings
~环境变量|environment variable|env
参数|parameter|argument
选项|option
默认|预设|default
~格式化|format|formatter
代码风格|code style|style guide
代码检查|静态检查|lint|linter
缩进|indent|indentation
注释|comment
文档|文件档|documentation|docs
规范|convention|standard
命名|naming
设计模式|design pattern
架构|architecture
需求|requirement
截止日期|截止|deadline|due date
里程碑|milestone
迭代|sprint|iteration
会议|meeting
看板|仪表盘|仪表板|dashboard
图表|chart
~表格|table|spreadsheet
用户|使用者|user
客户|customer
团队|team
同事|colleague|coworker
负责人|owner
偏好|喜好|preference
习惯|habit
语言|language
中文|chinese
英文|英语|english
时区|timezone
快捷键|shortcut|keybinding
主题|theme
深色模式|暗色模式|dark mode
通知|notification
~邮件|邮箱|email|mail
附件|attachment
上传|upload
下载|download
文件|档案|file
文件夹|目录|资料夹|folder|directory
路径|path
权重|weight
超时|timeout
重试|retry
限流|rate limit
幂等|idempotent
序列化|serialize|serialization
压缩|compress|compression
哈希|杂凑|hash
校验|验证|validation|validate
模拟|mock
断言|assert|assertion
夹具|fixture
快照|snapshot
沙箱|沙盒|sandbox
生产环境|线上|production|prod
预发布|预生产|staging
开发环境|development environment
本地|local
远程|远端|remote
安装|install
卸载|uninstall
升级|upgrade
降级|downgrade
兼容|compatible|compatibility
跨平台|cross-platform
开源|open source
许可证|license
国际化|internationalization|i18n
本地化|localization|l10n
无障碍|accessibility|a11y
响应式|responsive
渲染|render|rendering
路由|routing|router
中间件|middleware
钩子|hook
回调|callback
事件|event
状态管理|state management
主键|primary key
外键|foreign key
分页|pagination
排序|sort|sorting
过滤|筛选|filter
去重|deduplicate|deduplication
定时任务|计划任务|cron|scheduled job
爬虫|crawler|scraper
支付|付款|payment
订单|order
库存|inventory
发票|invoice
报销|expense
预算|budget
postgres|postgresql|psql
kubernetes|k8s
javascript|js
typescript|ts
python|py
golang|go lang
`

const entries = lines
  .trim()
  .split('\n')
  .map((line) => ({ isRelated: line.startsWith('~'), words: line.replace('~', '').split('|') }))

export const shippedAliases: readonly (readonly string[])[] = entries.map(({ words }) => words)

/** Those that can stand for each other in one sentence. */
export const synonyms: readonly (readonly string[])[] = entries.flatMap(({ isRelated, words }) =>
  isRelated ? [] : [words],
)
