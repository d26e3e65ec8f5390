/// What people say all day, also to a coding agent, without naming anything of a project. No repair may touch it.
let ordinarySentences = """
  Run the tests.
  run the tests again and tell me what failed
  show me the error message
  What does the error message say?
  open the user settings and look at the first page
  Why is the test result different today?
  sort the search results by date
  the log line is too long
  make the text file smaller
  read the file and tell me what is in it
  please read this file to me
  I need a time line for the release
  what is the user name of the last author
  call me when you are done
  save the session before you stop
  open the link in the browser
  start the run after lunch
  is it ready yet
  are you ready
  cancel the run
  Stop, that is not what I meant.
  ask Jason about the release
  Jason said that the build is broken
  thank Jason for the review
  I paid in cash
  the cash is in the drawer
  take a poll among the users
  we should poll the server every minute
  get the latest version
  get me a list of all files
  get the status of the build
  put the limits into one place
  there are no limits here
  what are the limits
  increase the timeout from five seconds to thirty seconds
  move the validation code into its own module
  why is the build failing on the main branch
  revert the last change and try a different approach
  find every place that calls the deprecated login method
  update the readme with the new install steps
  create a new branch for this
  which files did you change in the last step
  write a regular expression that matches an email address
  add logging to the database connection pool
  is there a memory leak in the image cache
  how long did the integration tests take
  can you summarize what this repository does
  show me the diff for the last commit
  run the linter and fix any warnings
  explain how this works
  explain it as if I were five years old
  what would happen if the network went away
  how many lines of code are there
  who wrote this function
  when was this last changed
  why do we need a lock here
  does this compile on Linux
  does it run on a Mac
  let's go back to the first idea
  no, I meant the other one
  yes, do that
  maybe later
  I think we should wait until tomorrow
  I am not sure about that
  that looks good to me
  that is wrong, try again
  undo that
  delete the old logs but keep the last one
  rename it to something shorter
  rename the folder
  split this function in two
  make the function shorter
  this method is too long
  the class has too many methods
  put it into a separate file
  add a comment that says why
  remove all comments from this file
  use a loop instead of recursion
  use the standard library
  write a test first
  write a test for the empty case
  what about the case where the list is empty
  check that the number is positive
  return an error if the file is missing
  return early if there is nothing to do
  the server returns the wrong status
  the client should try again after a while
  the retry should wait longer each time
  increase the number of retries
  the token has expired
  the bucket is full
  limit the rate of requests
  the pump is broken
  the queue is full
  play it back from the beginning
  play that again please
  turn the volume down
  the echo is too loud
  the microphone does not work
  the speaker is silent
  I hear an echo
  can you hear me
  say that again
  speak slower
  be quiet
  stop talking
  what did you say
  tell me more
  give me a short summary
  give me the details
  read it out loud
  skip the rest
  go on
  next one please
  the first one is fine
  the second test is flaky
  the third line is empty
  line forty two looks strange
  it takes about two hundred milliseconds
  it costs about five dollars a month
  ten percent of the users see this
  the answer is forty two
  two plus two is four
  on March fifteenth we release
  next Monday is a holiday
  at three o'clock I have a meeting
  by the end of the week it must be done
  in the middle of the night it crashed
  over the weekend nothing happened
  the weather is nice today
  I had coffee with Piper and Jason this morning
  my daughter plays the piano
  she lives in a small town near the sea
  he was not an ill-disposed young man
  unless to be rather cold-hearted and rather selfish is to be ill-disposed
  he might even have been made amiable himself
  they went home early
  we will see about that
  nobody knows why
  everybody likes it
  something is wrong with the door
  there is nothing left
  the moon shines brightly tonight
  the sun will rise at six
  the parley between the two kings lasted a week
  the pipe is leaking
  a needle in a haystack
  the cat sat on the mat
  a quick brown fox jumps over the lazy dog
  all that glitters is not gold
  an apple a day keeps the doctor away
  time flies when you are having fun
  better late than never
  the early bird catches the worm
  look before you leap
  many hands make light work
  practice makes perfect
  rome was not built in a day
  the pen is mightier than the sword
  where there is smoke there is fire
  you cannot judge a book by its cover
  could you please have a look at the second file
  could you check the spelling of that word
  would you mind running it once more
  should we use a queue or a stack
  is a map faster than a list here
  do we really need two threads for that
  why not use one thread
  the main thread is blocked
  the main view is empty
  the content of the view is wrong
  the app crashes when I rotate the phone
  the page does not load
  the button is too small
  make the button bigger and blue
  change the color of the header to green
  center the title
  align the text to the left
  the image is too large
  compress the images
  the upload fails for large files
  the download takes too long
  the user cannot log in
  log out all users
  reset the password
  send an email to the user
  the email never arrives
  the payment was declined
  the order was shipped twice
  an order without items should be refused
  the service is down
  restart the service
  deploy it to production
  roll it back
  tag the release
  bump the version
  merge it when the checks are green
  rebase it on top of main
  squash the last three commits
  write a better commit message
  open an issue for that
  close the issue
  assign it to me
  add a label to the issue
  review the changes and tell me what you think
  what is the most important thing to fix
  what is left to do
  make a list of what is left to do
  start with the easiest one
  do the hard one first
  take your time
  hurry up
  wait a moment
  wait until the build is done
  keep going
  that is all for today
  thank you very much
  good morning, what did you do last night
  good night
  see you tomorrow
  is the configuration valid
  where is the configuration stored
  which settings can I change
  set the default to five
  the default should be none
  use the settings from yesterday
  load the settings before the view appears
  the session ended too early
  the voice sounds strange
  the voice is too fast
  the world is not enough
  a simulated world would be nice for the tests
  talk to the duck
  let the agent decide
  the agent asked for permission
  never delete anything without asking
  do not push yet
  don't touch the database
  keep the order of the lines
  keep the old name for now
  remove the dead code
  there is a typo in the second paragraph
  fix the typo in the title
  translate it into German
  count the words in this text
  what is the longest word
  which word comes first in the lexicon of the Greeks
  the sound of the key in the lock
  a file reader would read the file
  the fetch of the user failed
  fetch the user and then fetch the orders
  the script is in the script folder
  the cash register is open
  we accept cash or card
  the dark mode looks great
  add a dark mode
  """.split(separator: "\n").map(String.init)
