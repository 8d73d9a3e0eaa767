/** Doing, saying and writing. One meaning a line; see `meanings.ts`. */

export const doingWords = `
indent|indentation|缩进
tab|tab character|制表符
space|blank|空格
write|compose|author|写|编写|撰写
read|读取|阅读
answer|reply|respond|response|回答|回复|答复|应答
ask|ask for|request|询问|请求|征求
tell|inform|notify|let know|告知|告诉|通知|知会
show|display|present|显示|展示|呈现
explain|explanation|解释|说明|讲解
describe|description|描述
send|send out|go out|发送|寄出|发出|发给|寄给
receive|get|obtain|收到|接收|获得|获取|拿到
give|provide|supply|deliver|提供|给出|交付
put|place|lay|放|放在|置于|摆放|摆在
keep|retain|preserve|hold|leave|保留|保存|留存|存放|存着|保持|留着
store|save|存储|储存|保存|存放
stay|remain|停留|保持|留在
located|live|lie|sit|位于|在于
delete|remove|erase|drop|purge|clear out|wipe|discard|throw away|get rid of|删除|删掉|移除|清除|清理|去掉|去除|丢弃
add|append|insert|include|加|添加|增加|加入|加上|新增
create|make|build|set up|establish|创建|建立|新建|搭建|建
change|modify|alter|edit|adjust|amend|更改|修改|变更|调整|改动
rename|重命名|改名
replace|substitute|swap|swap out|替换|取代|代替|替代
start|begin|kick off|launch|commence|open with|开始|启动|开启|起
finish|end|complete|conclude|close|wrap up|done|结束|完成|完结|完毕|收尾|做完
stop|halt|cease|quit|停止|停下|中止|停掉
continue|carry on|proceed|go on|继续
wait|await|等待|等候|等
run|execute|perform|carry out|invoke|运行|执行|跑|跑一遍|调用
call|invoke|调用
deploy|deployment|roll out|rollout|部署
release|ship|publish|launch|go live|go out|push live|cut a release|发布|发版|上线|推出
version|版本
rollback|roll back|revert|go back to|return to|undo|fall back to|回滚|回退|退回|撤回|还原
restore|recover|recovery|bring back|恢复|还原|找回
backup|back up|备份
copy|duplicate|副本|复制|拷贝
move|relocate|shift|transfer|搬|移动|迁移|转移|移到|挪到
migrate|migration|迁移
install|set up|安装|装
uninstall|卸载
update|upgrade|更新|升级
check|verify|confirm|make sure|double-check|validate|检查|核对|核实|确认|验证|校验|核查
review|look over|look through|code review|评审|审查|审核|复核|代码审查|代码评审|过目
approve|approval|sign off|green light|okay|批准|审批|同意|通过|批
reject|refuse|decline|turn down|rejected|拒绝|驳回|否决|回绝
allow|permit|let|accept|允许|准许|许可|接受
forbidden|banned|not allowed|prohibited|not permitted|disallowed|禁止|严禁|不准|不许|不得|不允许
need|require|necessary|demand|需要|要求|必需
want|wish|would like|desire|想要|希望|想|愿意
prefer|favour|favor|like best|rather have|preference|偏好|更喜欢|偏爱|倾向于|喜欢用
like|love|enjoy|喜欢|爱|喜爱
dislike|hate|not like|讨厌|不喜欢|厌恶
avoid|stay away from|steer clear|refrain from|避免|避开|别碰
use|utilise|utilize|employ|adopt|go with|work with|rely on|用|使用|采用|选用|运用
choose|pick|select|opt for|decide on|settle on|go for|选|选择|选用|选定|挑选|选了|定为
decide|decision|resolve|决定|定下|敲定|拍板
plan|intend|计划|打算|规划
suggest|propose|recommend|recommendation|建议|推荐|提议
learn|study|pick up|学|学习
know|了解|熟悉|懂|知道
understand|grasp|理解|明白
think|believe|feel|认为|觉得
find|locate|look up|discover|找|找到|查找|发现|查到
search|look for|搜索|搜寻|查找|检索
meet|gather|get together|碰头|开会|见面
meeting|sync|gathering|会议|例会|会|碰头会
weekly meeting|weekly sync|周会|周例会
standup|stand-up|daily standup|daily meeting|站会|晨会|早会
talk|speak|discuss|discussion|chat|谈|讨论|商量|聊
speak|说|讲
call up|phone|ring|give a call|telephone|打电话|致电|电话
email|e-mail|mail|邮件|电子邮件|邮箱|电邮
message|消息|信息|讯息|留言
report|报告|汇报|报表
weekly report|周报
monthly report|月报
daily report|日报
note|笔记|备注
document|doc|documentation|docs|paper|文档|文件|资料
manual|handbook|guide|user guide|instructions|手册|说明书|指南
list|清单|列表|名单
table|表|表格
spreadsheet|sheet|电子表格
form|表单|登记表
file|档案|文件
folder|directory|dir|文件夹|目录
path|路径
name|called|named|名字|名称|叫|叫做|名为|命名
title|标题|题目
heading|小标题
nickname|昵称|外号
number|no|编号|号码|号
`
