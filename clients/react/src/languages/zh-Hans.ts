/** The messages in Simplified Chinese. */
export const zhHans = `
like = 赞
reactions = 回应
react = 回应{ $kind }
follow = 关注
following = 已关注
requested = 已申请
follow-whom = 关注{ $name }
sign-in-first = 请先登录
sign-in-to-comment = 登录后评论
state-unknown = 无法读取你的选择

comments = 评论
order = 评论排序
hot = 最热
newest = 最新
oldest = 最早
no-comments = 还没有评论,来写第一条吧。
cannot-comment = 你不能在这里评论。
subject-missing = 这里没有可以评论的内容。
add-comment = 写评论
write-reply = 回复{ $name }
send = 发送
cancel = 取消
sending = 正在发送…
reply = 回复
replies = 回复
edit = 编辑
edit-comment = 编辑评论
save-edit = 保存
edited = 已编辑
characters-left = 剩余字数:{ $count }
delete = 删除
deleted = 已删除
comment-deleted = 该评论已删除。
pinned = 置顶
unknown-user = 未知用户

loading = 正在加载…
show-more = 显示更多
try-again = 重试
not-loaded = 无法加载。
newest-not-loaded = 无法加载最新状态。
some-unavailable = 部分内容暂时不可用,恢复后会自动显示。
all-unavailable = 内容暂时不可用,恢复后会自动显示。
video = 视频
audio = 音频

in-review = 审核中
own-status-PENDING = 正在发布…
own-status-REJECTED = 未通过
show-anyway = 仍然显示
hide-again = 重新隐藏

count-likes =
    { $count ->
        [unknown] 赞数未知
       *[other] { $count } 个赞
    }
count-comments =
    { $count ->
        [unknown] 评论数未知
       *[other] { $count } 条评论
    }
count-replies =
    { $count ->
        [unknown] 回复数未知
       *[other] { $count } 条回复
    }
count-reactions =
    { $count ->
        [unknown] 回应数未知
       *[other] { $count } 个回应
    }
new-comments = 显示 { $count } 条新评论

new-post = 新动态
text-of-post = 动态内容
publish = 发布
add-files = 添加文件
description = 文件的内容
uploading = 正在上传 { $name }
remove-file = 移除 { $name }
file-unreadable = 无法读取此文件。
published = 已发布
posts = 动态
no-posts = 还没有动态。
post-missing = 该动态不存在,或你无权查看。
quoted-post = 引用的动态

notifications = 通知
no-notifications = 没有通知。
mark-all-read = 全部标为已读
unread = 未读

report = 举报
report-title = 举报此内容
report-reason = 有什么问题?
report-note = 给审核员的说明
report-SPAM = 垃圾信息
report-HARASSMENT = 骚扰
report-HATE = 仇恨
report-VIOLENCE = 暴力
report-MISINFORMATION = 虚假信息
report-SEXUAL = 色情内容
report-SELF_HARM = 自我伤害
report-IMPERSONATION = 冒充他人
report-INTELLECTUAL_PROPERTY = 侵犯知识产权
report-ILLEGAL = 违法内容
report-OTHER = 其他
report-send = 提交举报
reported = 谢谢,审核员会查看。
close = 关闭

save = 收藏
save-in = 收藏到合集
no-collections = 你还没有合集。
new-collection = 新合集
create = 创建
saved-in = 已收藏到{ $name }

problem-NO_CONNECTION = 没有网络连接,请重试。
problem-RATE_LIMITED = 操作太频繁,请稍后再试。
problem-UNAVAILABLE = 暂时无法完成,请稍后再试。
problem-INTERNAL = 出错了,请重试。
problem-BLOCKED = 你与该用户之间的屏蔽不允许此操作。
problem-SUSPENDED = 你的账号已被停用。
problem-COMMENTS_CLOSED = 评论已关闭。
problem-EDIT_WINDOW_OVER = 该评论已不能再编辑。
problem-TARGET_DELETED = 该内容已删除。
problem-TARGET_NOT_FOUND = 该内容已不存在。
`;
